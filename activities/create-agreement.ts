// In:  workflows/agreement/steps.ts asks for an agreement to exist at the provider: one attempt per time that it asks.
// Out: payments-api/client.ts.
import { submitOnce } from './follow/submit.js';
import type { Mandate } from '../domain/mandate.js';
import type { AgreementSnapshot, Fetched } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export interface CreateAgreementArgs {
  uid: string;
  connectionId: string;
  mandate: Mandate;
}

export function createAgreementActivity(deps: Dependencies) {
  return function createAgreement(args: CreateAgreementArgs): Promise<Fetched<AgreementSnapshot>> {
    const { uid, connectionId, mandate } = args;
    return submitOnce(deps, connectionId, (call) => deps.payments.createAgreement({ uid, ...mandate }, call));
  };
}
