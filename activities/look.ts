// One look at a resource of the provider, as every activity that reads takes it.
import { cancellationSignal } from '@temporalio/activity';
import type { AgreementLook, AgreementSnapshot, PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

type Reader = Pick<Dependencies, 'payments' | 'withAccess' | 'now'>;

/** The agreement and its history. */
export function lookAtAgreement(reader: Reader, connectionId: string, uid: string): Promise<AgreementLook> {
  return reader.withAccess(connectionId, async (accessToken) => {
    const lookedAt = new Date(reader.now()).toISOString();
    const call = { accessToken, signal: cancellationSignal() };
    const agreement = await reader.payments.getAgreement(uid, call);
    return { lookedAt, agreement, history: await reader.payments.getAgreementHistory(uid, call) };
  });
}

/** The agreement alone: what an idle poll costs is this one request. */
export const glanceAtAgreement = (
  reader: Reader,
  connectionId: string,
  uid: string,
): Promise<AgreementSnapshot> =>
  reader.withAccess(connectionId, (accessToken) =>
    reader.payments.getAgreement(uid, { accessToken, signal: cancellationSignal() }),
  );

export function lookAtPayment(reader: Reader, connectionId: string, uid: string): Promise<PaymentLook> {
  return reader.withAccess(connectionId, async (accessToken) => {
    const lookedAt = new Date(reader.now()).toISOString();
    const payment = await reader.payments.getPayment(uid, { accessToken, signal: cancellationSignal() });
    return { lookedAt, payment };
  });
}
