// What the API asks an agreement to do: each is answered by its workflow, or refused there and nothing written. One that is over
// still answers repeats of what it had taken, from what its run left as its result, which takes no worker to read.
// In:  api/temporal/door.ts. Out: workflows/agreement/workflow.ts, by its contract alone.
import type { ActionRequest } from '../../domain/action.js';
import { repeatOfAction, repeatOfResolution } from '../../domain/repeat.js';
import type { PlanRequest } from '../../domain/plan.js';
import type { AttentionResolution } from '../../domain/resolution.js';
import {
  agreementWorkflowId,
  endPlan,
  getAgreement,
  lookUpNow,
  putPlan,
  requestAction,
  resolveAttention,
} from '../../workflows/agreement/contract.js';
import type { AgreementEnd } from '../../workflows/agreement/contract.js';
import { ApiError } from '../errors.js';
import { digestOf } from '../idempotency.js';
import type { Calls } from './calls.js';
import { assertRepeat, commanding, leftBy } from './commands.js';
import type { Ended } from './commands.js';

export interface AgreementCommands {
  /** Has it asked of the provider, or finds that this very request was taken before. */
  act: (uid: string, request: ActionRequest) => Promise<void>;
  /** Has the provider asked how the agreement stands. */
  lookUp: (uid: string) => Promise<void>;
  /** States that a flag has been dealt with, or finds that this very statement was taken before. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
  /** Puts a plan of payments in place of the one before. */
  putPlan: (uid: string, plan: PlanRequest) => Promise<void>;
  /** Ends the plan, of which nothing goes on either once the agreement is over. */
  endPlan: (uid: string, word: { by: string }) => Promise<void>;
}

export function createAgreementCommands(calls: Calls): AgreementCommands {
  const command = commanding(calls, {
    workflowId: agreementWorkflowId,
    what: 'an agreement',
    otherwise: 'agreement_state_forbids',
  });
  return {
    act: async (uid, request) => {
      const ended = await command(uid, requestAction.name, request, (handle, as) =>
        handle.executeUpdate(requestAction, { args: [request], ...as }),
      );
      if (ended !== undefined) await assertTaken(calls, ended, request);
    },
    lookUp: async (uid) => {
      const ended = await command(uid, lookUpNow.name, undefined, (handle, as) =>
        handle.executeUpdate(lookUpNow, as),
      );
      if (ended !== undefined) throw over();
    },
    resolveAttention: async (uid, resolution) => {
      const ended = await command(uid, resolveAttention.name, resolution, (handle, as) =>
        handle.executeUpdate(resolveAttention, { args: [resolution], ...as }),
      );
      if (ended !== undefined) await assertResolved(calls, ended, resolution);
    },
    // What was put before may be put again, in place of another: Temporal must not take that for a repeat.
    putPlan: async (uid, plan) => {
      const ended = await command(uid, `${putPlan.name}/${digestOf(plan)}`, undefined, (handle) =>
        handle.executeUpdate(putPlan, { args: [plan] }),
      );
      if (ended !== undefined) throw over();
    },
    endPlan: async (uid, word) => {
      await command(uid, endPlan.name, undefined, (handle) =>
        handle.executeUpdate(endPlan, { args: [word] }),
      );
    },
  };
}

/** What a run leaves of which repeats are known. */
export type Left = Pick<
  AgreementEnd['carried']['state'],
  'actions' | 'facts' | 'olderIds' | 'keys' | 'ledger'
>;

/** @throws ApiError `agreement_final`, or `idempotency_conflict` where the key was another request's. */
async function assertTaken(calls: Calls, ended: Ended, request: ActionRequest): Promise<void> {
  const left = await leftBy<Left>(calls, agreementWorkflowId(ended.uid), ended);
  if (left !== undefined) return assertRepeat(repeatOfAction(left.actions, request), over);
  // It was ended by force, and left nothing: its last view names the newest ten, without their bodies. The key is of one path.
  const view = await calls.ask(agreementWorkflowId(ended.uid), getAgreement);
  const found = view?.actions.find(({ key }) => key === request.key);
  assertRepeat(found === undefined ? 'none' : 'same', over);
}

/** @throws ApiError as `assertTaken` does. */
async function assertResolved(calls: Calls, ended: Ended, word: AttentionResolution): Promise<void> {
  const left = await leftBy<Left>(calls, agreementWorkflowId(ended.uid), ended);
  assertRepeat(left === undefined ? 'none' : repeatOfResolution(left, word), over);
}

const over = (): ApiError =>
  new ApiError('agreement_final', 'This agreement is over; nothing can be asked of it.');
