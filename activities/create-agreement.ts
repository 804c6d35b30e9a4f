// In:  workflows/agreement/workflow.ts asks for an agreement to exist at the provider.
// Out: payments-api/client.ts.
import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { differences } from '../domain/intent.js';
import { PaymentsApiError } from '../payments-api/errors.js';
import { writeFailure } from './failure.js';
import { lookAtAgreement } from './look.js';
import type { Mandate } from '../domain/mandate.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export interface CreateAgreementArgs {
  uid: string;
  connectionId: string;
  mandate: Mandate;
}

export function createAgreementActivity(deps: Dependencies) {
  /** Makes the agreement, or finds the one that a lost attempt of ours has made. One that differs is refused. */
  return async function createAgreement({
    uid,
    connectionId,
    mandate,
  }: CreateAgreementArgs): Promise<AgreementLook> {
    try {
      return await deps.withAccess(connectionId, async (call) => {
        const lookedAt = new Date(deps.now()).toISOString();
        return {
          lookedAt,
          agreement: await deps.payments.createAgreement({ uid, ...mandate }, call),
          history: [],
        };
      });
    } catch (error) {
      if (isDuplicate(error)) return adoptTwin(deps, { uid, connectionId, mandate });
      if (isRefusal(error) && Context.current().info.attempt > 1)
        return adoptTwin(deps, { uid, connectionId, mandate }, error);
      throw writeFailure(error);
    }
  };
}

/** The provider has an agreement of this uid already (facts 13). */
const isDuplicate = (error: unknown): boolean =>
  error instanceof PaymentsApiError && error.means === 'duplicate_uid';

/** After a first attempt a refusal may be the doing of its own twin, whose answer was lost: limits count that too. */
const isRefusal = (error: unknown): boolean => error instanceof PaymentsApiError && error.code === 'rejected';

/** @param refusal what stands when there is no twin after all. */
async function adoptTwin(
  deps: Dependencies,
  { uid, connectionId, mandate }: CreateAgreementArgs,
  refusal?: unknown,
): Promise<AgreementLook> {
  const twin = await lookAtAgreement(deps, connectionId, uid).catch((error: unknown) => {
    const isNoTwin = error instanceof PaymentsApiError && error.code === 'not_found';
    throw writeFailure(isNoTwin && refusal !== undefined ? refusal : error);
  });
  const differing = differences(mandate, twin.agreement.mandate);
  if (differing.length === 0) return twin;
  throw ApplicationFailure.create({
    type: 'uid_taken',
    message: `The provider has another agreement under this uid; it differs in ${differing.join(', ')}.`,
    nonRetryable: true,
    details: [{ providerCodes: [], title: `uid taken; differs in ${differing.join(', ')}` }],
  });
}
