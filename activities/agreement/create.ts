import { submitOnce } from '../resource/submit-once.js';
import { resolveAliases } from './resolve-aliases.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

export interface CreateAgreementArgs extends Ref {
  mandate: Mandate;
  /** Absent where no PayID is named. */
  payer?: Payer | undefined;
}

/** One attempt: a submission without an answer is looked for under its uid, and never repeated blindly. */
export const createAgreementActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, mandate, payer }: CreateAgreementArgs) =>
    submitOnce(deps, connectionId, async (call) => {
      await resolveAliases(deps.payments, mandate, payer, call);
      return deps.payments.createAgreement({ uid, ...mandate }, call);
    });
