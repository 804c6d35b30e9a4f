// In:  workflows/agreement/workflow.ts was told of an agreement that nobody started here.
// Out: payments-api/client.ts, for each connection that may own it.
import { findOwner } from './owner.js';
import { lookAtAgreement } from './look.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export function adoptAgreementActivity(deps: Dependencies) {
  return function adoptAgreement(of: {
    uid: string;
    connectionId?: string | undefined;
  }): Promise<AgreementLook & { owner: string }> {
    return findOwner(deps, of.connectionId, (connectionId) => lookAtAgreement(deps, connectionId, of.uid));
  };
}
