// Sends a command to its workflow as one update. Concurrent identical requests share the update.
import { WithStartWorkflowOperation, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { READING_LASTS_MS, reopen } from '../../../delivery/reopen.js';
import type { End, Recipient, RunStart } from '../../../delivery/reopen.js';
import { repeatOfUse } from '../../../domain/commands/key-use.js';
import type { KeyRegister, KeyUse } from '../../../domain/commands/key-use.js';
import { useOfResolution } from '../../../domain/attention/resolution.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';
import { lookUpNow, resolveAttention, upgrade } from '../../../workflows/contracts/every-workflow.js';
import type { Carried } from '../../../workflows/contracts/every-workflow.js';
import { ApiError, notFound } from '../../http/problems/errors.js';
import { digestOf, keyConflict } from '../../http/idempotency.js';
import type { ProblemCode } from '../../http/problems/codes.js';
import { noneIfNotFound } from './calls.js';
import type { Calls } from './calls.js';
import { workerUnavailable } from './outages.js';
import { refusedUpdate } from './refusals.js';
import { createSharedCalls } from './update-limiter.js';

/** Time limit of a command. A worker usually answers within milliseconds. */
const ANSWER_MS = 10_000;

/** The kind of workflow that receives a command. */
interface Commanded {
  workflowId: (uid: string) => string;
  /** The noun for error messages, such as "an agreement". */
  what: string;
  /** The problem code for refusals with an unknown code. */
  otherwise: ProblemCode;
}

/** A run that has ended. */
export interface Ended {
  uid: string;
  runId: string;
}

type SendAs = (handle: WorkflowHandle, as: { updateId?: string }) => Promise<unknown>;

/**
 * Resolves with undefined once the command is accepted, or with the run if it has ended. Identical requests share one update, in
 * this process and at Temporal. A command that may be repeated on purpose has no `request`.
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

/** The commands that all resources support. */
export interface ResourceCommands {
  /** Looks the resource up at the provider now. */
  lookUp: (uid: string) => Promise<void>;
  /** Resolves an attention flag. A repeat changes nothing. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
}

/** @param over the error of an ended run, for all requests except repeats. */
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
  // A read that needs no worker: it detects an outage of Temporal at once, not after the update's long timeout.
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
 * For a command to an ended run: resolves only if it repeats a request that the run had accepted.
 * @throws ApiError the error of `over`, or `idempotency_conflict` if another request used the key.
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

/** The final state of a run. Undefined if the run was terminated or Temporal no longer stores it. */
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

/** An update that the next run of a workflow also accepts. */
interface ReopeningUpdate<Ended, Answer, Args extends [unknown]> {
  update: UpdateDefinition<Answer, Args>;
  args: Args;
  updateId: string;
  /** The cause of a reopening, for the summary of the new run: "a refund". */
  by: string;
  /** Answers from the end of the last run without a new run. Throws a refusal. */
  answered: (end: Ended) => { answer: Answer } | undefined;
}

/** How often a run may start or end between our read and our update. */
const ATTEMPTS = 3;

/**
 * Sends an update to a workflow. If its run has ended, a new run starts with the update (delivery/reopen.ts).
 * @throws ApiError `not_found` if the workflow never existed, `payment_forgotten` if the end of the last run is unknown.
 */
export async function updateReopening<Ended extends End, Answer, Args extends [unknown]>(
  calls: Calls,
  recipient: Recipient & { what: string },
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
      // The run ended after we read it.
      .catch(noneIfNotFound);
    if (answer !== undefined) return answer.answer;
  }
  throw workerUnavailable(
    new Error(`each attempt found that the run of ${workflowId} had started or ended again`),
  );
}

function endFound<Ended>(end: Ended | undefined): Ended {
  if (end !== undefined) return end;
  const detail = 'The workflow was terminated, so we do not know the outcome. Look it up at the provider.';
  throw new ApiError('payment_forgotten', detail);
}
