// CSV for finance staff: RFC 4180, UTF-8. A field that a spreadsheet would read as a formula is escaped, because a payer may have written it.
import { stringify } from 'csv-stringify/sync';

export const CSV = 'text/csv';
export const CSV_UTF8 = `${CSV}; charset=utf-8`;

export type CsvRow = Readonly<Record<string, string | number | boolean | null>>;

/** @param columns in this order. @param isFirst whether the header comes first. */
export const csvOf = (columns: readonly string[], rows: readonly CsvRow[], isFirst = true): string =>
  stringify([...rows], {
    ...{ header: isFirst, columns: [...columns], record_delimiter: 'windows', escape_formulas: true },
    cast: { boolean: (value) => String(value), string: escapedFormula },
  });

/** The library escapes a formula at the very start. Spreadsheets also trim blanks, line breaks and invisible characters before one. */
const HIDDEN_FORMULA = /^[\s\p{Cc}\p{Cf}]+[=+@＝＋－＠-]/u;

const escapedFormula = (text: string): string => (HIDDEN_FORMULA.test(text) ? `'${text}` : text);
