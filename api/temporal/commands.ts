// How a command reaches the workflow that it is for: one update, in its turn, however many ask for the same.
// In:  api/temporal/agreement-commands.ts, payment-commands.ts. Out: Temporal's frontend, by api/temporal/calls.ts.
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { Repeat } from '../../domain/repeat.js';
import { upgrade } from '../../workflows/entity/contract.js';
import type { Carried } from '../../workflows/entity/contract.js';
import { notFound } from '../errors.js';
import type { ApiError } from '../errors.js';
import { digestOf, keyConflict } from '../idempotency.js';
import type { ProblemCode } from '../problems.js';
import type { Calls } from './calls.js';
import { refusedUpdate } from './refusals.js';
import { sharing } from './turns.js';

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
  const once = sharing<Ended | undefined>();
  return (uid, name, request, send) => {
    const as = request === undefined ? {} : { updateId: `${name}/${digestOf(request)}` };
    return once(`${uid} ${as.updateId ?? name}`, () =>
      update(calls, kind, uid, (handle) => send(handle, as)),
    );
  };
}

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
