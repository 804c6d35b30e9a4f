// In:  workflows/payment/steps.ts wants to know how a payment stands at the provider.
// Out: activities/follow/resource.ts, with how a snapshot is fetched (activities/follow/snapshot.ts).
import { followActivities } from './follow/resource.js';
import { fetchPayment } from './follow/snapshot.js';
import type { Dependencies } from './dependencies.js';

export function followPaymentActivities(deps: Dependencies) {
  const { lookUp, find, watch, adopt } = followActivities(deps, {
    resource: 'payment',
    fetchSnapshot: fetchPayment,
  });
  return { lookUpPayment: lookUp, findPayment: find, watchPayment: watch, adoptPayment: adopt };
}
