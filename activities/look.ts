// One look at a resource of the provider, as every activity that reads takes it.
import { agreementEvent } from '../domain/agreement-events.js';
import { inOrder } from '../domain/fact.js';
import type { Fact } from '../domain/fact.js';
import type { AgreementLook, AgreementSnapshot, PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

type Reader = Pick<Dependencies, 'payments' | 'withAccess' | 'now'>;

/**
 * The agreement and its history. The history is read first: the other way round an event would vouch for terms that were
 * read before it. Where something has happened between the two, it is read once more, so that it tells of that as well.
 */
export function lookAtAgreement(reader: Reader, connectionId: string, uid: string): Promise<AgreementLook> {
  return reader.withAccess(connectionId, async (call) => {
    const lookedAt = new Date(reader.now()).toISOString();
    const history = await reader.payments.getAgreementHistory(uid, call);
    const agreement = await reader.payments.getAgreement(uid, call);
    if (isToldIn(history, agreement.state)) return { lookedAt, agreement, history };
    return { lookedAt, agreement, history: await reader.payments.getAgreementHistory(uid, call) };
  });
}

/** Whether the last event that moved an agreement led to that state; no event tells of those before the first. */
function isToldIn(history: readonly Fact[], state: string): boolean {
  const moves = inOrder(history).flatMap(({ type }) => agreementEvent(type)?.moves ?? []);
  const last = moves.at(-1)?.to;
  return last === state || (last === undefined && (state === 'pending' || state === 'created'));
}

/** The agreement alone: what an idle poll costs is this one request. */
export const glanceAtAgreement = (
  reader: Reader,
  connectionId: string,
  uid: string,
): Promise<AgreementSnapshot> =>
  reader.withAccess(connectionId, (call) => reader.payments.getAgreement(uid, call));

export function lookAtPayment(reader: Reader, connectionId: string, uid: string): Promise<PaymentLook> {
  return reader.withAccess(connectionId, async (call) => {
    const lookedAt = new Date(reader.now()).toISOString();
    return { lookedAt, payment: await reader.payments.getPayment(uid, call) };
  });
}
