// An agreement whose last run has left no state. Plain JSON and pure.
import { lostState } from '../resource/lost.js';
import { newAgreement, type AgreementState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RecordedAgreementView } from './contract.js';

/** From the view in its row. Its payments are counted, and the provider still guards its limits. */
export function lostAgreement(
  view: RecordedAgreementView,
  ids: { uid: string; connectionId: string },
  now: Instant,
): AgreementState {
  const { requestedMandate, mandate, requestedBy, adopted, createdAt, mmsAgreementId, paymentCount } = view;
  const requested = newAgreement({ ...ids, mandate: requestedMandate, payer: undefined, requestedBy }, now);
  return {
    ...lostState(requested, view, now),
    ...{ mandate, adopted, startedAt: createdAt, mmsAgreementId, paymentsOlder: paymentCount },
    ...(view.state !== 'pending' && { requestedAt: createdAt }),
  };
}
