// The activities findAgreement, lookUpAgreement, watchAgreement and adoptAgreement.
import { readActivities } from '../resource/read.js';
import { fetchAgreement, fetchAgreementState } from '../resource/snapshot.js';
import type { Dependencies } from '../dependencies.js';

export const agreementReads = (deps: Dependencies) =>
  readActivities(deps, {
    resource: 'agreement',
    fetchSnapshot: fetchAgreement,
    fetchState: fetchAgreementState,
  });
