// In:  workflows/agreement/workflow.ts wants to know how an agreement stands at the provider.
// Out: payments-api/client.ts.
import { readFailure } from './failure.js';
import { lookAtAgreement } from './look.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export function lookUpAgreementActivity(deps: Dependencies) {
  return async function lookUpAgreement(of: { uid: string; connectionId: string }): Promise<AgreementLook> {
    try {
      return await lookAtAgreement(deps, of.connectionId, of.uid);
    } catch (error) {
      throw readFailure(error);
    }
  };
}
