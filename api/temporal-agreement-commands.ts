// What the API asks an agreement to do: each is answered by its workflow, or refused there and nothing written.
// In:  api/temporal.ts. Out: workflows/agreement.ts, by its contract alone.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ActionRequest } from '../domain/action.js';
import {
  agreementWorkflowId,
  getAgreement,
  lookUpNow,
  requestAction,
  resolveAttention,
} from '../workflows/agreement.contract.js';
import type { AgreementView, AttentionResolution } from '../workflows/agreement.contract.js';
import { ApiError, notFound } from './errors.js';
import { isProblemCode } from './problems.js';
import type { ProblemCode } from './problems.js';
import { refusalIn } from './temporal-calls.js';
import type { Calls } from './temporal-calls.js';
import type { WorkflowHandle } from '@temporalio/client';

/** A worker answers in milliseconds; this is how long we believe that one may still come. */
const ANSWER_MS = 10_000;

export interface AgreementCommands {
  /** Has it asked of the provider, or finds that this very request was taken before. */
  act: (uid: string, request: ActionRequest) => Promise<void>;
  /** Has the provider looked at. */
  lookUp: (uid: string) => Promise<void>;
  /** Says that a flag has been dealt with. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
}

export function createAgreementCommands(calls: Calls): AgreementCommands {
  const update = async (
    uid: string,
    send: (handle: WorkflowHandle) => Promise<unknown>,
  ): Promise<'over' | 'done'> => {
    // Read without a worker, so that an outage of Temporal shows at once and not after the update's long bound.
    const agreement = await calls.describe(agreementWorkflowId(uid));
    if (agreement === undefined) throw notFound('an agreement');
    if (!agreement.isOpen) return 'over';
    try {
      await calls.tell(agreementWorkflowId(uid), ANSWER_MS, send);
      return 'done';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'over';
      throw refused(error);
    }
  };
  const unlessOver = async (
    uid: string,
    send: (handle: WorkflowHandle) => Promise<unknown>,
  ): Promise<void> => {
    if ((await update(uid, send)) === 'over') throw over();
  };
  return {
    act: async (uid, request) => {
      const answer = await update(uid, (handle) => handle.executeUpdate(requestAction, { args: [request] }));
      if (answer === 'over' && !wasTaken(await calls.ask(agreementWorkflowId(uid), getAgreement), request))
        throw over();
    },
    lookUp: (uid) => unlessOver(uid, (handle) => handle.executeUpdate(lookUpNow)),
    resolveAttention: (uid, resolution) =>
      unlessOver(uid, (handle) => handle.executeUpdate(resolveAttention, { args: [resolution] })),
  };
}

/** An agreement that is over takes nothing more, but a repeat of what it had taken gets its answer. */
const wasTaken = (view: AgreementView | undefined, { key, ask: { kind } }: ActionRequest): boolean =>
  view?.actions.some((action) => action.key === key && action.kind === kind) ?? false;

const over = (): ApiError =>
  new ApiError('agreement_final', 'This agreement is over; nothing can be asked of it.');

/** The workflow's refusals carry their own codes; one that is not of ours yet is still a refusal. */
function refused(error: unknown): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  return new ApiError(problemOf(refusal.code), refusal.detail, { cause: error });
}

function problemOf(code: string): ProblemCode {
  if (code === 'action_key_conflict') return 'idempotency_conflict';
  return isProblemCode(code) ? code : 'agreement_state_forbids';
}
