// The settlement report as CSV: settled payments and processed refunds of a Sydney day.
import type { Engine } from '../engine/parts.js';
import { sydneyDay } from '../time/sydney.js';

interface Row {
  uid: string;
  agreement_uid: string;
  type: 'payment' | 'refund';
  /** Cents, positive for both types. */
  amount: number;
  settled_at: string;
  reference: string | null;
}

/** The columns are our guess, because the documents do not show the report. */
const COLUMNS = ['uid', 'agreement_uid', 'type', 'amount', 'settled_at', 'reference'] as const;

/** @param day YYYY-MM-DD. */
export function settlementReport(engine: Engine, day: string): string {
  const lines = rowsOf(engine, day).map((row) => COLUMNS.map((column) => field(row[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** In settlement order, from the ledger. */
function rowsOf(engine: Engine, day: string): Row[] {
  return engine.ledger.since(0).flatMap((line) => {
    if (line.kind !== 'change' || sydneyDay(Date.parse(line.at)) !== day) return [];
    const row = rowAbout(engine, line.resource_type, line.resource_uid, line.to);
    return row === undefined || engine.store.unreported.includes(row.uid)
      ? []
      : [{ ...row, settled_at: line.at }];
  });
}

/** A payment that pays a refund appears only as the refund. */
function rowAbout(
  { store }: Engine,
  type: string,
  uid: string,
  to: string,
): Omit<Row, 'settled_at'> | undefined {
  if (type === 'payto_payment' && to === 'settled') {
    const payment = store.payments.get(uid);
    if (payment === undefined || payment.source_refund_uid !== null) return undefined;
    const { agreement_uid, amount, reference } = payment;
    return { uid, agreement_uid, type: 'payment', amount, reference };
  }
  const refund = type === 'payto_refund' && to === 'processed' ? store.refunds.get(uid) : undefined;
  if (refund === undefined) return undefined;
  const { agreement_uid, refund_payment } = refund;
  return { uid, agreement_uid, type: 'refund', amount: refund_payment.amount, reference: null };
}

/** RFC 4180: quoted if it contains a separator, a quote or a line break. */
function field(value: string | number | null): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
