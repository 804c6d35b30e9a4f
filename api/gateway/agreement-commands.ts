// What the API asks an agreement to do: each is answered by its workflow, or refused there and nothing written. One that is over
// still answers repeats of what it had taken, from what its run left as its result, which takes no worker to read.
import { useOfAction } from '../../domain/agreement/action.js';
import type { ActionRequest } from '../../domain/agreement/action.js';
import type { PlanRequest } from '../../domain/agreement/plan.js';
import { agreementWorkflowId, endPlan, putPlan, requestAction } from '../../workflows/agreement/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { digestOf } from '../http/idempotency.js';
import type { Calls } from './temporal/calls.js';
import { assertRepeat, commanding, resourceCommands } from './temporal/commands.js';
import type { ResourceCommands } from './temporal/commands.js';

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
      if (ended !== undefined)
        await assertRepeat(calls, agreementWorkflowId(uid), ended, useOfAction(uid, request), over);
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

const over = (): ApiError =>
  new ApiError('agreement_final', 'This agreement is over; nothing can be asked of it.');
