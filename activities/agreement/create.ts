import { submitOnce } from '../resource/submit-once.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

export interface CreateAgreementArgs extends Ref {
  mandate: Mandate;
}

/** One attempt: a submission without an answer is looked for under its uid, and never repeated blindly. */
export const createAgreementActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, mandate }: CreateAgreementArgs) =>
    submitOnce(deps, connectionId, (call) => deps.payments.createAgreement({ uid, ...mandate }, call));
