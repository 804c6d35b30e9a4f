// Reads and resolves unmatched credits.
import {
  getUnmatchedCredit,
  resolveCredit,
  type UnmatchedCreditView,
} from '../../workflows/unmatched-credit/contract.js';
import { isSameResolution, type CreditResolution } from '../../domain/float/credit.js';
import type { CreditCandidate, SoughtCredit } from '../../domain/float/candidates.js';
import type { ComparedCase, PossibleDuplicate } from '../../records/credit-entries.js';
import { workflowIdOf } from '../../domain/resources.js';
import { ApiError } from '../http/problems/errors.js';
import { readsOf, type ResourceReads } from './resource.js';
import type { Calls } from './temporal/calls.js';
import { refusedUpdate } from './temporal/refusals.js';
import { updateOpen } from './temporal/updates.js';

interface UnmatchedCreditsGateway extends ResourceReads<UnmatchedCreditView> {
  /** What it may be for, best first. @throws ApiError `records_unavailable` */
  candidates: (credit: SoughtCredit) => Promise<CreditCandidate[]>;
  /** Cases and entries that perhaps are the same credit. @throws ApiError `records_unavailable` */
  duplicates: (compared: ComparedCase) => Promise<PossibleDuplicate[]>;
  /** A repeat changes nothing. @returns undefined if there is no such case. @throws ApiError `credit_resolved`, `credit_unconfirmed` */
  resolve: (uid: string, resolution: CreditResolution) => Promise<UnmatchedCreditView | undefined>;
}

export function createUnmatchedCreditsGateway(calls: Calls): UnmatchedCreditsGateway {
  const reads = readsOf(calls, 'unmatched-credit', getUnmatchedCredit);
  return {
    ...reads,
    candidates: (credit) => calls.recorded.ask(({ candidates }) => candidates(credit)),
    duplicates: (compared) => calls.recorded.ask(({ duplicates }) => duplicates(compared)),
    resolve: async (uid, resolution) => {
      const workflowId = workflowIdOf('unmatched-credit', uid);
      const resolved = await updateOpen(calls, workflowId, resolveCredit, resolution).catch(
        (error: unknown) => {
          throw refusedUpdate(error, 'credit_resolved');
        },
      );
      return resolved ?? sameOrRefused(await reads.view(uid), resolution);
    },
  };
}

/** The case has ended, so only a repeat of its resolution is accepted. */
function sameOrRefused(
  view: UnmatchedCreditView | undefined,
  resolution: CreditResolution,
): UnmatchedCreditView | undefined {
  if (view?.joined !== undefined)
    throw new ApiError(
      'credit_resolved',
      `The case ${view.joined.uid} has the entry of this credit. Decide that one.`,
    );
  if (view?.resolution === undefined || isSameResolution(view.resolution, resolution)) return view;
  throw new ApiError('credit_resolved', `The case was resolved as ${view.resolution.decision}. It stays so.`);
}
