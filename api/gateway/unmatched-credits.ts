// Reads and resolves unmatched credits.
import {
  getUnmatchedCredit,
  resolveCredit,
  unmatchedCreditWorkflowId,
} from '../../workflows/unmatched-credit/contract.js';
import { isSameResolution } from '../../domain/float/credit.js';
import type { CreditCandidate, SoughtCredit } from '../../domain/float/candidates.js';
import type { CreditResolution } from '../../domain/float/credit.js';
import type { UnmatchedCreditEnd, UnmatchedCreditView } from '../../workflows/unmatched-credit/contract.js';
import type { RowsRequest } from '../../records/lists.js';
import { ApiError } from '../http/problems/errors.js';
import { noneIfNotFound, oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { refusalIn } from './temporal/refusals.js';
import type { ListPage } from './records.js';

const COMMAND_MS = 10_000;

export interface UnmatchedCreditsGateway {
  view: (uid: string) => Promise<UnmatchedCreditView | undefined>;
  list: (request: RowsRequest) => Promise<ListPage<UnmatchedCreditView>>;
  /** What it may be for, best first. @throws ApiError `records_unavailable` */
  candidates: (credit: SoughtCredit) => Promise<CreditCandidate[]>;
  /** A repeat changes nothing. @returns undefined if there is no such case. @throws ApiError `credit_resolved`, `credit_unconfirmed` */
  resolve: (uid: string, resolution: CreditResolution) => Promise<UnmatchedCreditView | undefined>;
}

export function createUnmatchedCreditsGateway(calls: Calls): UnmatchedCreditsGateway {
  const ofWorkflow = oneAtATime((uid) =>
    calls.read(unmatchedCreditWorkflowId(uid), getUnmatchedCredit, (end: UnmatchedCreditEnd) => end),
  );
  const view: UnmatchedCreditsGateway['view'] = (uid) =>
    calls.recorded.view(
      { resource: 'unmatched-credit', uid, workflowId: unmatchedCreditWorkflowId(uid) },
      () => ofWorkflow(uid),
    );
  return {
    view,
    list: (request) => calls.recorded.list('unmatched-credit', request),
    candidates: (credit) => calls.recorded.ask(({ candidates }) => candidates(credit)),
    resolve: async (uid, resolution) => {
      const resolved = await calls
        .update(unmatchedCreditWorkflowId(uid), COMMAND_MS, (handle) =>
          handle.executeUpdate(resolveCredit, { args: [resolution] }),
        )
        .catch((error: unknown) => {
          throw problemIn(error) ?? error;
        })
        .catch(noneIfNotFound);
      return resolved ?? sameOrRefused(await view(uid), resolution);
    },
  };
}

function problemIn(error: unknown): ApiError | undefined {
  const refusal = refusalIn(error);
  return refusal?.code === 'credit_resolved' || refusal?.code === 'credit_unconfirmed'
    ? new ApiError(refusal.code, refusal.detail)
    : undefined;
}

/** The case has ended, so only a repeat of its resolution is accepted. */
function sameOrRefused(
  view: UnmatchedCreditView | undefined,
  resolution: CreditResolution,
): UnmatchedCreditView | undefined {
  if (view?.resolution === undefined || isSameResolution(view.resolution, resolution)) return view;
  throw new ApiError('credit_resolved', `The case was resolved as ${view.resolution.decision}. It stays so.`);
}
