// Starts a new run after the previous one has ended, for events, reports, sweeps, retries and refunds
// (docs/decisions/0006-events-after-the-end.md).
import { WorkflowFailedError, type Client, type WorkflowStartOptions } from '@temporalio/client';
import { awaits, ifFound, isOpen } from './open.js';
import { fairnessOf, type Carried } from '../workflows/contracts/every-workflow.js';
import { CONNECTION_ID } from '../workflows/contracts/search-attributes.js';
import type { SearchAttributePair } from '@temporalio/common';

export interface Recipient {
  uid: string;
  /** The connection of a resource that we do not know yet. */
  connectionId: string | undefined;
  workflow: string;
  workflowId: string;
  /** The input of a new run. @param isLost the latest run has left no state. */
  inputWith: (carried: Carried<unknown> | undefined, by: { isReopened: boolean; isLost: boolean }) => object;
  attributes: SearchAttributePair[];
}

/** Temporal's client, and the task queue of new runs. */
export interface Destination {
  client: Client;
  taskQueue: string;
}

/** The result of an ended run: its connection, and the state from which the next run continues. */
export interface End {
  connectionId?: string | undefined;
  carried: Carried<unknown>;
}

/** The options that start a run, without its message. */
export type RunStart = Pick<
  WorkflowStartOptions,
  'workflowId' | 'taskQueue' | 'args' | 'staticSummary' | 'priority' | 'typedSearchAttributes'
>;

/** @param end the result of the previous run. Undefined if there is none. */
export function runStart(
  { taskQueue }: Pick<Destination, 'taskQueue'>,
  { workflowId, inputWith, attributes, connectionId: named }: Recipient,
  {
    by,
    end,
    isReopened,
    isLost = false,
  }: { by: string; end: End | undefined; isReopened: boolean; isLost?: boolean },
): RunStart {
  const connectionId = end?.connectionId ?? named;
  const on = connectionId === undefined ? '' : `, connection ${connectionId}`;
  return {
    workflowId,
    taskQueue,
    args: [inputWith(end?.carried, { isReopened, isLost })],
    staticSummary: `${isReopened ? 'reopened' : 'found'} by ${by}${on}`,
    priority: fairnessOf({ connectionId }),
    typedSearchAttributes: [
      ...attributes,
      ...awaits('look-up'),
      // Of a run that reads its record, only an event has named the connection.
      ...(end === undefined || connectionId === undefined
        ? []
        : [{ key: CONNECTION_ID, value: connectionId }]),
    ],
  };
}

/**
 * How long the result of an ended run may be used to start a new run, in milliseconds. A reopened run stays open for longer than
 * this time plus the request to start it (`STAYS_OPEN_MS` in workflows/resource/reopened.ts). So no other caller's run
 * can start and end while a caller uses what it has read, and no message is lost.
 */
export const READING_LASTS_MS = 5000;

/** The outcome of a reopening: the answer of `start` or of `answered`. */
interface Reopened<Answer> {
  answer: Answer;
}

/**
 * Starts a new run if the latest one has ended.
 * @param start starts the run with its message in one request, with a reuse policy that allows it. It must give up within ten seconds.
 * @param answered answers from the end of the last run without a new run, or throws a refusal.
 * @returns undefined if the latest run is open, or if reading its end took too long. The caller then tries again.
 */
export async function reopen<Ended extends End, Answer>(
  to: Destination,
  recipient: Recipient,
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
  const isLost = end === undefined;
  const carrying = isWorthCarrying(end) ? end : undefined;
  const run = runStart(to, recipient, { by, end: carrying, isReopened: true, isLost });
  if (performance.now() - readAtMs > READING_LASTS_MS) return undefined;
  return { answer: await start(run) };
}

/** The id of the latest run if it has ended. Undefined if it is open or Temporal no longer stores it. */
async function endedRun(
  { client }: Destination,
  { workflowId }: Pick<Recipient, 'workflowId'>,
): Promise<string | undefined> {
  const run = await ifFound(client.workflow.getHandle(workflowId).describe());
  return run === undefined || isOpen(run) ? undefined : run.runId;
}

/** The result of a run. Undefined if it was terminated or the result is not ours. */
async function endOf<Ended extends End>(
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

const isEnd = <Ended extends End>(end: unknown, uid: string): end is Ended =>
  isObject(end) && Reflect.get(end, 'uid') === uid && isObject(Reflect.get(end, 'carried'));

/** The result of an `unknown` uid contains nothing that the next run could use. */
const isWorthCarrying = (end: object | undefined): boolean =>
  end !== undefined && Reflect.get(end, 'state') !== 'unknown';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
