// What the API asks an agreement to do: each is answered by its workflow, or refused there and nothing written.
// In:  api/temporal/door.ts. Out: workflows/agreement/workflow.ts, by its contract alone.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ActionRequest } from '../../domain/action.js';
import type { AttentionResolution } from '../../domain/resolution.js';
import {
  agreementWorkflowId,
  lookUpNow,
  requestAction,
  resolveAttention,
} from '../../workflows/agreement/contract.js';
import { ApiError, notFound } from '../errors.js';
import { isProblemCode } from '../problems.js';
import type { ProblemCode } from '../problems.js';
import { assertResolved, assertTaken, over } from './agreement-end.js';
import type { Ended } from './agreement-end.js';
import { refusalIn } from './calls.js';
import type { Calls } from './calls.js';
import type { WorkflowHandle } from '@temporalio/client';

/** A worker answers in milliseconds; this is how long we believe that one may still come. */
const ANSWER_MS = 10_000;

export interface AgreementCommands {
  /** Has it asked of the provider, or finds that this very request was taken before. */
  act: (uid: string, request: ActionRequest) => Promise<void>;
  /** Has the provider looked at. */
  lookUp: (uid: string) => Promise<void>;
  /** Says that a flag has been dealt with, or finds that this very word was taken before. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
}

type Send = (handle: WorkflowHandle) => Promise<unknown>;

export const createAgreementCommands = (calls: Calls): AgreementCommands => ({
  act: async (uid, request) => {
    const ended = await update(calls, uid, (handle) =>
      handle.executeUpdate(requestAction, { args: [request] }),
    );
    if (ended !== undefined) await assertTaken(calls, ended, request);
  },
  lookUp: async (uid) => {
    if ((await update(calls, uid, (handle) => handle.executeUpdate(lookUpNow))) !== undefined) throw over();
  },
  resolveAttention: async (uid, resolution) => {
    const ended = await update(calls, uid, (handle) =>
      handle.executeUpdate(resolveAttention, { args: [resolution] }),
    );
    if (ended !== undefined) await assertResolved(calls, ended, resolution);
  },
});

/** Resolves with nothing once it was taken, and with the run where that one is over. */
async function update(calls: Calls, uid: string, send: Send): Promise<Ended | undefined> {
  // Read without a worker, so that an outage of Temporal shows at once and not after the update's long bound.
  const agreement = await calls.describe(agreementWorkflowId(uid));
  if (agreement === undefined) throw notFound('an agreement');
  const ended = { uid, runId: agreement.runId };
  if (!agreement.isOpen) return ended;
  try {
    await calls.tell(agreementWorkflowId(uid), ANSWER_MS, send);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return ended;
    throw refused(error);
  }
  return undefined;
}

/** The workflow's refusals carry their own codes; one that is not of ours yet is still a refusal. */
function refused(error: unknown): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  return new ApiError(problemOf(refusal.code), refusal.detail, { cause: error });
}

function problemOf(code: string): ProblemCode {
  if (code === 'action_key_conflict' || code === 'resolution_key_conflict') return 'idempotency_conflict';
  return isProblemCode(code) ? code : 'agreement_state_forbids';
}
