// CSV for finance staff: RFC 4180, UTF-8. A field that a spreadsheet would read as a formula is escaped, because a payer may have written it.
import { stringify } from 'csv-stringify/sync';

export const CSV = 'text/csv';

/** Whether the caller asked for CSV. */
export const wantsCsv = (accept: string | undefined): boolean => accept?.includes(CSV) === true;

export type CsvRow = Readonly<Record<string, string | number | boolean | null>>;

/** @param columns in this order. @param isFirst whether the header comes first. */
export const csvOf = (columns: readonly string[], rows: readonly CsvRow[], isFirst = true): string =>
  stringify([...rows], {
    ...{ header: isFirst, columns: [...columns], record_delimiter: 'windows', escape_formulas: true },
    cast: { boolean: (value) => String(value) },
  });
