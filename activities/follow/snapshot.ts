// A snapshot of a resource of the provider's, as every activity that reads fetches it.
// In:  activities/follow/resource.ts; activities/send-command.ts, after a refusal. Out: payments-api/client.ts.
import { agreementEvent } from '../../domain/agreement-events.js';
import { inOrder } from '../../domain/fact.js';
import { keptOf } from '../../domain/kept.js';
import { UNSAID_STATE } from '../../domain/snapshot.js';
import { refundFrom } from '../../payments-api/answers/snapshot.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import type { Fact } from '../../domain/fact.js';
import type { AgreementSnapshot, Fetched, PaymentSnapshot, RefundSnapshot } from '../../domain/snapshot.js';
import type { Refund } from '../../payments-api/answers/resources.schema.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

/** A resource by its uid, on whose account it is looked for. */
export interface Ref {
  uid: string;
  connectionId: string;
}

/** What is needed to read from the provider. */
export type Reader = Pick<Dependencies, 'payments' | 'withAccess' | 'now'>;

export const instantOf = ({ now }: Pick<Dependencies, 'now'>): string => new Date(now()).toISOString();

/**
 * The agreement and its history. The history is read first: the other way round an event would vouch for terms that were
 * read before it. Where something has happened between the two, it is read once more, so that it has that as well.
 */
export function fetchAgreement(
  reader: Reader,
  { uid, connectionId }: Ref,
): Promise<Fetched<AgreementSnapshot>> {
  return reader.withAccess(connectionId, async (call) => {
    const fetchedAt = instantOf(reader);
    const history = await keptHistory(reader, uid, call);
    const snapshot = await reader.payments.getAgreement(uid, call);
    if (leadsTo(history, snapshot.state)) return { fetchedAt, snapshot, history };
    return { fetchedAt, snapshot, history: await keptHistory(reader, uid, call) };
  });
}

/** Of each event as much as is kept of one that was pushed: the whole of it stays in the provider's history. */
const keptHistory = async ({ payments }: Reader, uid: string, call: Call): Promise<Fact[]> =>
  (await payments.getAgreementHistory(uid, call)).map(keptOf);

/** Whether the last event that moved an agreement led to that state; none leads to those before the first. */
function leadsTo(history: readonly Fact[], state: string): boolean {
  const moves = inOrder(history).flatMap(({ type }) => agreementEvent(type)?.moves ?? []);
  const last = moves.at(-1)?.to;
  return last === state || (last === undefined && (state === 'pending' || state === 'created'));
}

/** The agreement's state alone: what an idle poll costs is this one request. */
export const fetchAgreementState = async (reader: Reader, { uid, connectionId }: Ref): Promise<string> =>
  (await reader.withAccess(connectionId, (call) => reader.payments.getAgreement(uid, call))).state;

/** Payments have no history at the provider. */
export const fetchPayment = (reader: Reader, { uid, connectionId }: Ref): Promise<Fetched<PaymentSnapshot>> =>
  reader.withAccess(connectionId, async (call) => {
    const fetchedAt = instantOf(reader);
    return { fetchedAt, snapshot: await reader.payments.getPayment(uid, call), history: [] };
  });

/** Nor have refunds. */
export const fetchRefund = (reader: Reader, { uid, connectionId }: Ref): Promise<Fetched<RefundSnapshot>> =>
  reader.withAccess(connectionId, async (call) => {
    const fetchedAt = instantOf(reader);
    const snapshot = refundIn(await reader.payments.getRefund(uid, call), uid, UNSAID_STATE);
    return { fetchedAt, snapshot, history: [] };
  });

/**
 * The refund in an answer about that uid.
 * @throws PaymentsApiError `malformed` where it is about another one: what was asked for may have been done all the same.
 */
export function refundIn(answer: Refund, uid: string, state: string): RefundSnapshot {
  const snapshot = refundFrom(answer, { uid, state });
  if (snapshot !== undefined) return snapshot;
  throw new PaymentsApiError('malformed', `expected data to be the refund ${uid}; met something else`);
}
