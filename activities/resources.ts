// The calls that the story of each followed resource makes: how it is submitted, found and read. A few lines for each resource.
// In:  workflows/agreement/steps.ts, workflows/payment/steps.ts.
// Out: activities/follow/resource.ts and submit.ts, with how a snapshot is fetched (activities/follow/snapshot.ts).
import { followActivities } from './follow/resource.js';
import { fetchAgreement, fetchAgreementState, fetchPayment } from './follow/snapshot.js';
import { submitOnce } from './follow/submit.js';
import { unlessStopped } from './stops.js';
import type { Mandate, PaymentOrder } from '../domain/mandate.js';
import type { Dependencies } from './dependencies.js';
import type { Ref } from './follow/snapshot.js';

export function resourceActivities(deps: Dependencies) {
  const { payments } = deps;
  const agreement = followActivities(deps, {
    resource: 'agreement',
    fetchSnapshot: fetchAgreement,
    fetchState: fetchAgreementState,
  });
  const payment = followActivities(deps, { resource: 'payment', fetchSnapshot: fetchPayment });
  return {
    createAgreement: ({ uid, connectionId, mandate }: Ref & { mandate: Mandate }) =>
      submitOnce(deps, connectionId, (call) => payments.createAgreement({ uid, ...mandate }, call)),
    findAgreement: agreement.find,
    lookUpAgreement: agreement.lookUp,
    watchAgreement: agreement.watch,
    adoptAgreement: agreement.adopt,

    submitPayment: ({ uid, connectionId, order }: Ref & { order: PaymentOrder }) =>
      submitOnce(
        deps,
        connectionId,
        unlessStopped(deps, connectionId, (call) => payments.createPayment({ uid, ...order }, call)),
      ),
    findPayment: payment.find,
    lookUpPayment: payment.lookUp,
    watchPayment: payment.watch,
    adoptPayment: payment.adopt,
  };
}
