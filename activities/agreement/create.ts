import { submitOnce } from '../resource/submit-once.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

export interface CreateAgreementArgs extends Ref {
  mandate: Mandate;
}

/** Makes one attempt. If no answer arrives, the workflow looks the agreement up by its uid before it sends the request again. */
export const createAgreementActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, mandate }: CreateAgreementArgs) =>
    submitOnce(deps, connectionId, (call) => deps.payments.createAgreement({ uid, ...mandate }, call));
