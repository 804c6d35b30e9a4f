// Sends commands to agreement workflows. The workflow accepts a command, or its validator refuses it and writes nothing.
// After an agreement has ended, repeats are still answered from the result of its run, which needs no worker.
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
  /** Requests an action at the provider. A repeat of an accepted request changes nothing. */
  act: (uid: string, request: ActionRequest) => Promise<void>;
  /** Replaces the agreement's payment plan. */
  putPlan: (uid: string, plan: PlanRequest) => Promise<void>;
  /** Ends the plan. Succeeds also if the agreement has ended, because that ends the plan. */
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
    // No update id: a caller may restore an earlier plan, and Temporal must not treat that as a duplicate.
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
  new ApiError('agreement_final', 'This agreement has ended and accepts no more commands.');
