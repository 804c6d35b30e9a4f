// The one way in which a run that has ended is followed by another: for events, reports, sweeps, retries and refunds alike
// (docs/decisions/0006-events-after-the-end.md).
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { isOpen } from './open.js';
import { fairnessOf } from '../workflows/entity/contract.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../workflows/entity/search-attributes.js';
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import type { Carried } from '../workflows/entity/contract.js';
import type { SearchAttributePair } from '@temporalio/common';

export interface Recipient<State = unknown> {
  uid: string;
  /** Whose account it belongs to, for one that is unknown here. */
  connectionId: string | undefined;
  workflow: string;
  workflowId: string;
  /** The input of a new run. Without a state it looks its uid up first. */
  inputWith: (carried: Carried<State> | undefined, isReopened: boolean) => object;
  attributes: SearchAttributePair[];
}

/** Temporal, and the task queue of a run that begins. */
export interface Destination {
  client: Client;
  taskQueue: string;
}

/** How a run ended: whose it was, and the state from which the next one goes on. */
export interface End<State> {
  connectionId?: string | undefined;
  carried: Carried<State>;
}

/** What starts a run, except for its message. */
export type RunStart = Pick<
  WorkflowStartOptions,
  'workflowId' | 'taskQueue' | 'args' | 'staticSummary' | 'priority' | 'typedSearchAttributes'
>;

/** @param end of the run before it; nothing where there was none, or it left nothing. */
export function runStart<State>(
  { taskQueue }: Pick<Destination, 'taskQueue'>,
  { workflowId, inputWith, attributes, connectionId: named }: Recipient<State>,
  { by, end, isReopened }: { by: string; end: End<State> | undefined; isReopened: boolean },
): RunStart {
  const connectionId = end?.connectionId ?? named;
  const on = connectionId === undefined ? '' : `, connection ${connectionId}`;
  return {
    workflowId,
    taskQueue,
    args: [inputWith(end?.carried, isReopened)],
    staticSummary: `${isReopened ? 'reopened' : 'found'} by ${by}${on}`,
    priority: fairnessOf({ connectionId }),
    typedSearchAttributes: [
      ...attributes,
      { key: AWAITING, value: 'look-up' },
      { key: AWAITING_SINCE, value: new Date() },
      ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
    ],
  };
}

/**
 * A new run may be started from what was read of the ended one for so long, in milliseconds. A reopened run stays open for longer
 * (`STAYS_OPEN_MS` in workflows/entity/resource/reopened.ts), the request to start it included. So while one caller holds a reading, no
 * other caller's run can begin and end, and nothing that it received can be lost.
 */
export const READING_LASTS_MS = 5000;

/** What a reopening came to: `answer` of `start`, or of `answered`. */
interface Reopened<Answer> {
  answer: Answer;
}

/**
 * Starts the run that follows the newest one, if that one has ended.
 * @param start sends the message and starts the run in one request, with a reuse policy that allows it. It must give up within ten seconds.
 * @param answered what needs no run, by how the last one ended: an answer, or a refusal that is thrown.
 * @returns nothing where the newest run is open, or where reading how it ended took too long: then the caller begins anew.
 */
export async function reopen<Ended extends End<unknown>, Answer>(
  to: Destination,
  recipient: Recipient<Ended['carried']['state']>,
  by: string,
  start: (run: RunStart) => Promise<Answer>,
  answered: (end: Ended | undefined) => Reopened<Answer> | undefined = () => undefined,
): Promise<Reopened<Answer> | undefined> {
  const readAtMs = performance.now();
  const runId = await endedRun(to, recipient);
  if (runId === undefined) return undefined;
  const end = await endOf<Ended>(to, recipient, runId);
  const answer = answered(end);
  if (answer !== undefined) return answer;
  const run = runStart(to, recipient, { by, end: isWorthCarrying(end) ? end : undefined, isReopened: true });
  if (performance.now() - readAtMs > READING_LASTS_MS) return undefined;
  return { answer: await start(run) };
}

/** The newest run, if it is over; nothing where it is open, or Temporal does not keep it any more. */
async function endedRun(
  { client }: Destination,
  { workflowId }: Pick<Recipient, 'workflowId'>,
): Promise<string | undefined> {
  try {
    const run = await client.workflow.getHandle(workflowId).describe();
    return isOpen(run) ? undefined : run.runId;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Nothing where it was ended by force, or left what is none of ours. */
async function endOf<Ended extends End<unknown>>(
  { client }: Destination,
  { workflowId, uid }: Pick<Recipient, 'workflowId' | 'uid'>,
  runId: string,
): Promise<Ended | undefined> {
  const end: unknown = await client.workflow
    .getHandle(workflowId, runId)
    .result()
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError)) throw error;
    });
  return isEnd<Ended>(end, uid) ? end : undefined;
}

const isEnd = <Ended extends End<unknown>>(end: unknown, uid: string): end is Ended =>
  isObject(end) && Reflect.get(end, 'uid') === uid && isObject(Reflect.get(end, 'carried'));

/** The end of an `unknown` uid has nothing that the next run could use. */
const isWorthCarrying = (end: object | undefined): boolean =>
  end !== undefined && Reflect.get(end, 'state') !== 'unknown';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
