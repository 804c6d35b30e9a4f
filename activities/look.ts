// One look at a resource of the provider, as every activity that reads takes it.
import type { AgreementLook, AgreementSnapshot, PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

type Reader = Pick<Dependencies, 'payments' | 'withAccess' | 'now'>;

/**
 * The agreement and its history. The history is read first: what happens between the two then shows in the agreement alone,
 * and is found in the next history; the other way round an event would vouch for terms that were read before it.
 */
export function lookAtAgreement(reader: Reader, connectionId: string, uid: string): Promise<AgreementLook> {
  return reader.withAccess(connectionId, async (call) => {
    const lookedAt = new Date(reader.now()).toISOString();
    const history = await reader.payments.getAgreementHistory(uid, call);
    return { lookedAt, agreement: await reader.payments.getAgreement(uid, call), history };
  });
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
