// Reads a settlement report. Its columns are inferred (docs/provider.md#settlement-reports), so they are found by their names. Pure.
import { parse } from 'csv-parse/sync';
import { isUid } from '../../domain/provider/uid.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { instantFrom } from './values.js';
import type { ReadReport, SettlementRow } from '../../domain/settlement/report.js';

/** The names that a column may have. The first one is our sandbox's. */
const COLUMNS = {
  uid: ['uid', 'payment_uid', 'transaction_uid'],
  kind: ['type', 'transaction_type'],
  amount: ['amount', 'amount_cents'],
  settledAt: ['settled_at', 'settlement_date', 'processed_at'],
} as const;
type Column = keyof typeof COLUMNS;

/** @param day YYYY-MM-DD in Sydney. Never throws: a report that cannot be read is a state. */
export function readReport(csv: string, day: string): ReadReport {
  const records = recordsIn(csv);
  if (records === undefined) return { state: 'unreadable', problem: 'not_csv', rows: [] };
  const [header, ...others] = records;
  if (header === undefined) return { state: 'unreadable', problem: 'no_header', rows: [] };
  const places = placesIn(header);
  if (places.uid === undefined || places.amount === undefined)
    return { state: 'unreadable', problem: 'unknown_columns', rows: [] };
  const rows = others.map((fields, index) => rowIn(fields, places, index + 1));
  const isElsewhere = ({ settledAt }: SettlementRow): boolean =>
    settledAt !== undefined && sydneyDayOf(settledAt) !== day;
  if (rows.length > 0 && rows.every(isElsewhere))
    return { state: 'other_day', problem: 'other_day', rows: [] };
  return { state: 'stored', rows };
}

/** Every row must have as many fields as the header: a report that was cut off has not. */
function recordsIn(csv: string): string[][] | undefined {
  try {
    return parse(csv, { bom: true, skip_empty_lines: true, trim: true });
  } catch {
    return undefined; // The error quotes the report.
  }
}

type Places = Record<Column, number | undefined>;

function placesIn(header: readonly string[]): Places {
  const names = header.map((name) => name.toLowerCase().replaceAll(/[ -]/g, '_'));
  const place = (column: Column): number | undefined => {
    const index = names.findIndex((name) => COLUMNS[column].some((one) => one === name));
    return index === -1 ? undefined : index;
  };
  return { uid: place('uid'), kind: place('kind'), amount: place('amount'), settledAt: place('settledAt') };
}

function rowIn(fields: readonly string[], places: Places, number: number): SettlementRow {
  const field = (column: Column): string | undefined => {
    const { [column]: index } = places;
    return index === undefined ? undefined : fields[index];
  };
  const uid = field('uid');
  const kind = field('kind')?.toLowerCase() ?? '';
  return {
    number,
    uid: isUid(uid) ? uid : '',
    kind: kind.includes('refund') ? 'refund' : kind.includes('payment') ? 'payment' : undefined,
    amount: centsIn(field('amount')),
    settledAt: instantFrom(field('settledAt')),
  };
}

/** Whole cents. A debit may have a sign. */
function centsIn(text: string | undefined): number | undefined {
  const cents = /^-?\d{1,15}$/.test(text ?? '') ? Math.abs(Number(text)) : undefined;
  return cents === 0 ? undefined : cents;
}
