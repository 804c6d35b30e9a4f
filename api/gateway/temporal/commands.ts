// How a command reaches the workflow that it is for: one update, in its turn, however many ask for the same.
import { WithStartWorkflowOperation, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import type { Recipient } from '../../../delivery/deliver.js';
import { repeatOfResolution } from '../../../domain/commands/repeat.js';
import type { StoredFacts, Repeat } from '../../../domain/commands/repeat.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';
import { fairnessOf, lookUpNow, resolveAttention, upgrade } from '../../../workflows/entity/contract.js';
import type { Carried } from '../../../workflows/entity/contract.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../../../workflows/entity/search-attributes.js';
import { ApiError, notFound } from '../../http/problems/errors.js';
import { digestOf, keyConflict } from '../../http/idempotency.js';
import type { ProblemCode } from '../../http/problems/codes.js';
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
    const left = await leftBy<StoredFacts>(calls, workflowId(uid), ended);
    assertRepeat(left === undefined ? 'none' : repeatOfResolution(left, resolution), over);
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

/** @throws ApiError what `over` makes for what is no repeat, or `idempotency_conflict` where the key was another request's. */
export function assertRepeat(repeat: Repeat, over: () => ApiError): void {
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
interface Asking<Answer, Args extends [unknown]> {
  update: UpdateDefinition<Answer, Args>;
  args: Args;
  updateId: string;
  /** What asks, for the page of a run that this begins: "a refund". */
  by: string;
}

/** What a run that is over left. */
interface Ends {
  connectionId?: string | undefined;
  carried: Carried<object>;
}

/** How often a run may end, or begin, between our reading it and our update. */
const ATTEMPTS = 3;

/**
 * Sends an update to a workflow whose run may be over: then a run begins, from all that the last one carried, and takes it first.
 * @param answered what needs no run, by how the last one ended: an answer, or a refusal that is thrown.
 * @throws ApiError `not_found` where there was never one, `payment_forgotten` where it is not known how the last one ended.
 */
export async function updateReopening<End extends Ends, Answer, Args extends [unknown]>(
  calls: Calls,
  recipient: Recipient<End['carried']['state']> & { what: string },
  asking: Asking<Answer, Args>,
  answered: (end: End) => Answer | undefined,
): Promise<Answer> {
  const { workflowId, what } = recipient;
  const { update: definition, args, updateId } = asking;
  for (let attempt = 1; ; attempt += 1) {
    const run = await calls.describe(workflowId);
    if (run === undefined) throw notFound(what);
    try {
      if (run.isOpen)
        return await calls.update(workflowId, ANSWER_MS, (handle) =>
          handle.executeUpdate<Answer, Args>(definition, { args, updateId }),
        );
      const end = await endOf<End>(calls, workflowId, run.runId);
      return answered(end) ?? (await reopen(calls, recipient, asking, end));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function endOf<End>({ client, short }: Calls, workflowId: string, runId: string): Promise<End> {
  const run = client.workflow.getHandle<() => Promise<End>>(workflowId, runId);
  try {
    return await short(() => run.result());
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const detail = 'It was ended by force, and what became of it is not known here. Ask the provider.';
    throw new ApiError('payment_forgotten', detail, { cause: error });
  }
}

function reopen<End extends Ends, Answer, Args extends [unknown]>(
  { client, taskQueue, update: send }: Calls,
  { workflow, workflowId, inputWith, attributes }: Recipient<End['carried']['state']>,
  { update: definition, args, updateId, by }: Asking<Answer, Args>,
  { carried, connectionId }: End,
): Promise<Answer> {
  const on = connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }];
  const startWorkflowOperation = new WithStartWorkflowOperation(workflow, {
    workflowId,
    taskQueue,
    args: [inputWith(carried)],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `taken up again by ${by}`,
    priority: fairnessOf({ connectionId }),
    typedSearchAttributes: [
      ...attributes,
      ...on,
      { key: AWAITING, value: 'nothing' },
      { key: AWAITING_SINCE, value: new Date() },
    ],
  });
  return send(workflowId, ANSWER_MS, () =>
    client.workflow.executeUpdateWithStart(definition, {
      args,
      updateId,
      startWorkflowOperation,
    }),
  );
}
