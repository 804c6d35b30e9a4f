// Sends commands to agreement workflows. The workflow accepts a command, or its validator refuses it and writes nothing.
// After an agreement has ended, repeats are still answered from the result of its run, which needs no worker.
import { useOfAction, type ActionRequest } from '../../domain/agreement/action.js';
import type { PlanRequest } from '../../domain/agreement/plan.js';
import { endPlan, putPlan, requestAction } from '../../workflows/agreement/contract.js';
import type { Calls } from './temporal/calls.js';
import { commandsOf, type ResourceCommands } from './temporal/commands.js';

export interface AgreementCommands extends ResourceCommands {
  /** Requests an action at the provider. A repeat of an accepted request changes nothing. */
  act: (uid: string, request: ActionRequest) => Promise<void>;
  /** Replaces the agreement's payment plan. */
  putPlan: (uid: string, plan: PlanRequest) => Promise<void>;
  /** Ends the plan. Succeeds also if the agreement has ended, because that ends the plan. */
  endPlan: (uid: string, word: { by: string }) => Promise<void>;
}

export function createAgreementCommands(calls: Calls): AgreementCommands {
  const { once, eachTime, assertOpen, assertRepeat, lookUp, resolveAttention } = commandsOf(
    calls,
    'agreement',
  );
  return {
    lookUp,
    resolveAttention,
    act: async (uid, request) => {
      const use = useOfAction(uid, request);
      await assertRepeat(await once(uid, requestAction, request, use), use);
    },
    putPlan: async (uid, plan) => assertOpen(await eachTime(uid, putPlan, plan)),
    endPlan: async (uid, word) => void (await eachTime(uid, endPlan, word)),
  };
}
