// Reads a settlement report. Its columns are inferred (docs/provider.md#settlement-reports), so they are found by their names. Pure.
import { parse } from 'csv-parse/sync';
import { isUid } from '../../domain/provider/uid.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { instantFrom } from './values.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Day } from '../../domain/time/calendar.js';
import type { ReadReport, SettlementRow } from '../../domain/settlement/report.js';
import type { Downloaded } from '../http/download.js';

/** The names that a column may have. The first one is our sandbox's. */
const COLUMNS = {
  uid: ['uid', 'payment_uid', 'transaction_uid'],
  kind: ['type', 'transaction_type'],
  amount: ['amount', 'amount_cents'],
  settledAt: ['settled_at', 'settlement_date', 'processed_at'],
} as const;
type Column = keyof typeof COLUMNS;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A downloaded report, and its content as it is to be stored. Never throws: a report that cannot be read is a state.
 * @param day YYYY-MM-DD in Sydney.
 */
export function readDownload(
  { bytes, isTooLarge }: Pick<Downloaded, 'bytes' | 'isTooLarge'>,
  day: string,
): { read: ReadReport; content: { csv: string } | { base64: string } | undefined } {
  if (isTooLarge)
    return { read: { state: 'unreadable', problem: 'too_large', rows: [] }, content: undefined };
  const csv = textOf(bytes);
  return csv === undefined
    ? {
        read: { state: 'unreadable', problem: 'not_text', rows: [] },
        content: { base64: Buffer.from(bytes).toString('base64') },
      }
    : { read: readReport(csv, day), content: { csv } };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined; // The decoder's error adds nothing.
  }
}

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
  const isElsewhere = (fields: readonly string[], index: number): boolean => {
    const its = dayIn(fields[places.settledAt ?? -1], rows[index]?.settledAt);
    return its !== undefined && its !== day;
  };
  if (others.length > 0 && others.every(isElsewhere))
    return { state: 'other_day', problem: 'other_day', rows: [] };
  return { state: 'stored', rows };
}

/** The day in Sydney of a time, or of a day. */
const dayIn = (text: string | undefined, settledAt: Instant | undefined): Day | undefined =>
  settledAt === undefined ? /^\d{4}-\d\d-\d\d$/.exec(text ?? '')?.[0] : sydneyDayOf(settledAt);

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
  const cents = centsIn(field('amount'));
  const { kind, problem } = typeIn(field('kind'), (cents ?? 0) < 0);
  return {
    ...{ number, uid: isUid(uid) ? uid : '', kind },
    // The sign of a refund says nothing: a report may show it as a debit.
    amount: cents === undefined ? undefined : problem === 'reversal' ? -Math.abs(cents) : Math.abs(cents),
    ...{ settledAt: instantFrom(field('settledAt')), problem },
  };
}

/** The types of lines, in lower case and with underscores. Any other type is a problem, never a guess. */
const TYPES: Readonly<Record<string, 'payment' | 'refund'>> = {
  ...{ payment: 'payment', payto_payment: 'payment', payments: 'payment' },
  ...{ refund: 'refund', payto_refund: 'refund', refund_payment: 'refund', refunds: 'refund' },
};
const REVERSAL = /(?:^|_)(?:reversal|reversed|return|returned|chargeback|dishonou?r|dishonou?red)(?:_|$)/;

function typeIn(text: string | undefined, isNegative: boolean): Pick<SettlementRow, 'kind' | 'problem'> {
  const type = (text ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  if (REVERSAL.test(type))
    return { kind: type.includes('refund') ? 'refund' : 'payment', problem: 'reversal' };
  const { [type]: kind } = TYPES;
  if (kind === undefined && type !== '') return { kind: undefined, problem: 'unlisted_type' };
  return isNegative && kind !== 'refund' ? { kind, problem: 'reversal' } : { kind, problem: undefined };
}

/** Whole cents other than 0. */
function centsIn(text: string | undefined): number | undefined {
  const cents = /^-?\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;
  return cents === 0 ? undefined : cents;
}
