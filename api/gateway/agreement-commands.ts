// What the API asks an agreement to do: each is answered by its workflow, or refused there and nothing written. One that is over
// still answers repeats of what it had taken, from what its run left as its result, which takes no worker to read.
import type { ActionRequest } from '../../domain/agreement/action.js';
import { repeatOfAction } from '../../domain/commands/repeat.js';
import type { PlanRequest } from '../../domain/agreement/plan.js';
import {
  agreementWorkflowId,
  endPlan,
  getAgreement,
  putPlan,
  requestAction,
} from '../../workflows/agreement/contract.js';
import type { AgreementEnd } from '../../workflows/agreement/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { digestOf } from '../http/idempotency.js';
import type { Calls } from './temporal/calls.js';
import { assertRepeat, commanding, resourceCommands, leftBy } from './temporal/commands.js';
import type { Ended, ResourceCommands } from './temporal/commands.js';

export interface AgreementCommands extends ResourceCommands {
  /** Has it asked of the provider, or finds that this very request was taken before. */
  act: (uid: string, request: ActionRequest) => Promise<void>;
  /** Puts a plan of payments in place of the one before. */
  putPlan: (uid: string, plan: PlanRequest) => Promise<void>;
  /** Ends the plan, of which nothing goes on either once the agreement is over. */
  endPlan: (uid: string, word: { by: string }) => Promise<void>;
}

export function createAgreementCommands(calls: Calls): AgreementCommands {
  const kind = {
    workflowId: agreementWorkflowId,
    what: 'an agreement',
    otherwise: 'agreement_state_forbids',
  } as const;
  const command = commanding(calls, kind);
  return {
    act: async (uid, request) => {
      const ended = await command(uid, requestAction.name, request, (handle, as) =>
        handle.executeUpdate(requestAction, { args: [request], ...as }),
      );
      if (ended !== undefined) await assertTaken(calls, ended, request);
    },
    ...resourceCommands(calls, kind, command, over),
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
  'actions' | 'facts' | 'droppedHashes' | 'keys' | 'ledger'
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

const over = (): ApiError =>
  new ApiError('agreement_final', 'This agreement is over; nothing can be asked of it.');
