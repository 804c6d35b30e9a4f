// The rows of a repair: what its filter has found, and what would be refused. Pure.
import { attemptRefusal, type FailedPayment } from '../payment/retry.js';
import { hasEnded, type ProviderResource } from '../resources.js';
import type { Attention, AttentionCode } from '../attention/flags.js';
import type { Instant } from '../facts/fact.js';
import type { Resolvable } from './repair.js';
import type { RequestedRow, RowRefusal } from './rows.js';

/** The parts of a payment's view that decide whether it can be retried. */
export interface FoundPayment extends FailedPayment {
  uid: string;
  order?: { amount: number } | undefined;
}

/** @param now of the selection. A payment that can be retried only later is refused. */
export function retryRowOf({ uid, order, ...payment }: FoundPayment, now: Instant): RequestedRow {
  const attempt = payment.attempts.at(-1)?.n ?? 1;
  const amount = order?.amount;
  const refusal = attemptRefusal(payment, now);
  return {
    row: { kind: 'retries', uid, attempt, ...(amount !== undefined && { amount }) },
    refusals: refusal === undefined ? [] : [{ code: refusal.code, pointer: '', detail: refusal.detail }],
  };
}

/** The parts of a resource's view that decide whether its flag can be resolved. */
export interface FoundFlagged {
  uid: string;
  state: string;
  attention: readonly Attention[];
  awaiting: { what: string };
  /** Of a payment. */
  order?: object | undefined;
}

/** @param flag the flag to resolve. */
export function resolutionRowOf(
  found: FoundFlagged,
  { resource, flag }: { resource: Resolvable; flag: AttentionCode },
): RequestedRow {
  const { uid, state, awaiting, order } = found;
  const raised = found.attention.find(({ code }) => code === flag);
  const amount = resource === 'payment' ? centsIn(order) : undefined;
  const since = raised?.since ?? '';
  // An ended resource that still waits for a person has an open run.
  const isOver = hasEnded(resource, state) && awaiting.what === 'nothing';
  return {
    row: { kind: 'resolutions', uid, resource, since, ...(amount !== undefined && { amount }) },
    refusals: [...(raised === undefined ? [NOT_RAISED] : []), ...(isOver ? [endedRefusal(resource)] : [])],
  };
}

const NOT_RAISED: RowRefusal = {
  code: 'no_such_attention',
  pointer: '',
  detail: 'The flag is no longer raised.',
};

/** Of a resource that has ended. */
export const endedRefusal = (resource: ProviderResource): RowRefusal => ({
  code: `${resource}_final`,
  pointer: '',
  detail: `This ${resource} has ended and accepts no more commands.`,
});

function centsIn(order: object | undefined): number | undefined {
  const amount: unknown = order && Reflect.get(order, 'amount');
  return typeof amount === 'number' ? amount : undefined;
}

/** Rows are found by their uids, so of two resources with the same uid only the first one is repaired. */
export function eachUidOnce(rows: readonly RequestedRow[]): RequestedRow[] {
  const used = new Set<string>();
  return rows.map((requested) => {
    const { uid } = requested.row;
    if (!used.has(uid)) {
      used.add(uid);
      return requested;
    }
    const detail =
      'Another resource of this batch has the same uid. Repair this one by a request of its own.';
    return { ...requested, refusals: [...requested.refusals, { code: 'uid_twice', pointer: '', detail }] };
  });
}
