// How a command reaches the workflow that it is for: one update, in its turn, however many ask for the same.
import { WithStartWorkflowOperation, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { READING_LASTS_MS, reopen } from '../../../delivery/reopen.js';
import type { End, Recipient, RunStart } from '../../../delivery/reopen.js';
import { repeatOfUse } from '../../../domain/commands/key-use.js';
import type { KeyRegister, KeyUse } from '../../../domain/commands/key-use.js';
import { useOfResolution } from '../../../domain/attention/resolution.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';
import { lookUpNow, resolveAttention, upgrade } from '../../../workflows/entity/contract.js';
import type { Carried } from '../../../workflows/entity/contract.js';
import { ApiError, notFound } from '../../http/problems/errors.js';
import { digestOf, keyConflict } from '../../http/idempotency.js';
import type { ProblemCode } from '../../http/problems/codes.js';
import { noneIfNotFound, workerUnavailable } from './calls.js';
import type { Calls } from './calls.js';
import { refusedUpdate } from './refusals.js';
import { createSharedCalls } from './update-limiter.js';

/** A worker answers in milliseconds; this is how long we believe that one may still come. */
const ANSWER_MS = 10_000;

/** What kind of thing is asked for something. */
interface Commanded {
  workflowId: (uid: string) => string;
  /** "an agreement". */
  what: string;
  /** What a refusal that is no problem's own is answered as. */
  otherwise: ProblemCode;
}

/** A run that has ended. */
export interface Ended {
  uid: string;
  runId: string;
}

type SendAs = (handle: WorkflowHandle, as: { updateId?: string }) => Promise<unknown>;

/**
 * Resolves with nothing once it was taken, and with the run where that one is over. Those that are the same are one update, here and at
 * Temporal. What is asked on purpose, however often, has no `request`.
 */
export type Command = (
  uid: string,
  name: string,
  request: object | undefined,
  send: SendAs,
) => Promise<Ended | undefined>;

export function commanding(calls: Calls, kind: Commanded): Command {
  const once = createSharedCalls<Ended | undefined>();
  return (uid, name, request, send) => {
    const as = request === undefined ? {} : { updateId: `${name}/${digestOf(request)}` };
    return once(`${uid} ${as.updateId ?? name}`, () =>
      update(calls, kind, uid, (handle) => send(handle, as)),
    );
  };
}

/** What can be asked of anything that is followed. */
export interface ResourceCommands {
  /** Has the provider asked how it stands. */
  lookUp: (uid: string) => Promise<void>;
  /** States that a flag has been dealt with, or finds that this very statement was taken before. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
}

/** @param over what a thing that is over answers, to all but a repeat. */
export const resourceCommands = (
  calls: Calls,
  { workflowId }: Pick<Commanded, 'workflowId'>,
  command: Command,
  over: () => ApiError,
): ResourceCommands => ({
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
    if (ended === undefined) return;
    await assertRepeat(calls, workflowId(uid), ended, useOfResolution(uid, resolution), over);
  },
});

async function update(
  calls: Calls,
  { workflowId, what, otherwise }: Commanded,
  uid: string,
  send: (handle: WorkflowHandle) => Promise<unknown>,
): Promise<Ended | undefined> {
  // Read without a worker, so that an outage of Temporal shows at once and not after the update's long bound.
  const run = await calls.describe(workflowId(uid));
  if (run === undefined) throw notFound(what);
  const ended = { uid, runId: run.runId };
  if (!run.isOpen) return ended;
  try {
    await calls.update(workflowId(uid), ANSWER_MS, send);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return ended;
    throw refusedUpdate(error, otherwise);
  }
  return undefined;
}

/**
 * A run that is over answers repeats alone.
 * @throws ApiError what `over` makes for what is no repeat, or `idempotency_conflict` where the key was another request's.
 */
export async function assertRepeat(
  calls: Calls,
  workflowId: string,
  ended: Ended,
  use: KeyUse,
  over: () => ApiError,
): Promise<void> {
  const repeat = repeatOfUse((await leftBy<KeyRegister>(calls, workflowId, ended)) ?? {}, use);
  if (repeat === 'none') throw over();
  if (repeat === 'other') throw keyConflict();
}

/** What a run carried to its end; nothing where it was ended by force, or is no longer kept. */
export async function leftBy<State extends object>(
  calls: Calls,
  workflowId: string,
  { runId }: Ended,
): Promise<State | undefined> {
  const run = calls.client.workflow.getHandle<() => Promise<{ carried: Carried<State> }>>(workflowId, runId);
  try {
    return upgrade((await calls.short(() => run.result())).carried);
  } catch (error) {
    if (error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** An update that the next run of a workflow takes as well. */
interface ReopeningUpdate<Ended, Answer, Args extends [unknown]> {
  update: UpdateDefinition<Answer, Args>;
  args: Args;
  updateId: string;
  /** What asks, for the page of a run that this begins: "a refund". */
  by: string;
  /** What needs no run, by how the last one ended: an answer, or a refusal that is thrown. */
  answered: (end: Ended) => { answer: Answer } | undefined;
}

/** How often a run may end, or begin, between our reading it and our update. */
const ATTEMPTS = 3;

/**
 * Sends an update to a workflow whose run may be over. Then the next run takes it first (delivery/reopen.ts).
 * @throws ApiError `not_found` where there was never one, `payment_forgotten` where it is not known how the last one ended.
 */
export async function updateReopening<Ended extends End<unknown>, Answer, Args extends [unknown]>(
  calls: Calls,
  recipient: Recipient<Ended['carried']['state']> & { what: string },
  { update: definition, args, updateId, by, answered }: ReopeningUpdate<Ended, Answer, Args>,
): Promise<Answer> {
  const { workflow, workflowId, what } = recipient;
  const start = (run: RunStart): Promise<Answer> => {
    const startWorkflowOperation = new WithStartWorkflowOperation(workflow, {
      ...run,
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
    const options = { args, updateId, startWorkflowOperation };
    return calls.client.withDeadline(Date.now() + ANSWER_MS, () =>
      calls.client.workflow.executeUpdateWithStart(definition, options),
    );
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const run = await calls.describe(workflowId);
    if (run === undefined) throw notFound(what);
    const withinMs = run.isOpen ? ANSWER_MS : READING_LASTS_MS + ANSWER_MS;
    const answer = await calls
      .update(workflowId, withinMs, async (handle) =>
        run.isOpen
          ? { answer: await handle.executeUpdate<Answer, Args>(definition, { args, updateId }) }
          : reopen<Ended, Answer>(calls, recipient, by, start, (end) => answered(endFound(end))),
      )
      // The run has ended meanwhile.
      .catch(noneIfNotFound);
    if (answer !== undefined) return answer.answer;
  }
  throw workerUnavailable(new Error(`the run of ${workflowId} was opened and ended again each time`));
}

function endFound<Ended>(end: Ended | undefined): Ended {
  if (end !== undefined) return end;
  const detail = 'It was ended by force, and what became of it is not known here. Ask the provider.';
  throw new ApiError('payment_forgotten', detail);
}
