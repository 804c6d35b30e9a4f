// In:  workflows/agreement/steps.ts wants to know how an agreement stands at the provider.
// Out: activities/follow/resource.ts, with how a snapshot is fetched (activities/follow/snapshot.ts).
import { followActivities } from './follow/resource.js';
import { fetchAgreement, fetchAgreementState } from './follow/snapshot.js';
import type { Dependencies } from './dependencies.js';

export function followAgreementActivities(deps: Dependencies) {
  const { lookUp, find, watch, adopt } = followActivities(deps, {
    resource: 'agreement',
    fetchSnapshot: fetchAgreement,
    fetchState: fetchAgreementState,
  });
  return { lookUpAgreement: lookUp, findAgreement: find, watchAgreement: watch, adoptAgreement: adopt };
}
