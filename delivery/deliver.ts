// Tells an agreement or a payment something, whether its run is open, is over, or never was.
// In:  api/temporal/deliver.ts, a notification; activities/sweep-agreements.ts, a difference.
// Out: Temporal; a run that is over is taken up again by one that knows all it knew.
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { isOpen } from './open.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../workflows/entity/contract.js';
import type { Client } from '@temporalio/client';
import type { SearchAttributePair, SignalDefinition } from '@temporalio/common';

interface Kept {
  uid: string;
  connectionId?: string | undefined;
}

export interface Recipient<Record extends Kept = Kept> {
  uid: string;
  /** Whose account it belongs to, for one that nobody here has heard of. */
  connectionId: string | undefined;
  workflow: string;
  workflowId: string;
  /** What a new run is given; without a record it looks its uid up first. */
  inputWith: (record: Record | undefined) => object;
  attributes: SearchAttributePair[];
}

/** A signal with what it says, and who tells, for the page of a run that this begins: "a notification". */
export interface Message {
  signal: string;
  args: unknown[];
  by: string;
}

/** The one way to make a message: what is said is what the signal takes. */
export const saying = <Args extends unknown[]>(
  by: string,
  { name }: SignalDefinition<Args>,
  ...args: Args
): Message => ({ signal: name, args, by });

/** Temporal, and the queue of those who carry out a run that begins. */
export interface Post {
  client: Client;
  taskQueue: string;
}

/** How often another call may open the run between our looking and our telling. */
const ATTEMPTS = 3;

/**
 * Resolves with true once the message is durable, and with false where a run was opened and ended again each time that
 * we tried: nothing was kept then, and whoever tells has to tell again.
 * @throws what Temporal's client throws; the message may or may not have been kept.
 */
export async function tell<Record extends Kept>(
  post: Post,
  recipient: Recipient<Record>,
  message: Message,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isTold(post, recipient, message)) return true;
    const endedRunId = await endedRun(post, recipient);
    if (endedRunId !== undefined) {
      const record = await recordOf(post, recipient, endedRunId);
      await signalWithStart(post, recipient, message, { record, workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
      return true;
    }
  }
  return false;
}

/** Tells a run that is open, or the first one; false when there was one, and it is over. */
async function isTold<Record extends Kept>(
  post: Post,
  recipient: Recipient<Record>,
  message: Message,
): Promise<boolean> {
  try {
    const first = { record: undefined, workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
    await signalWithStart(post, recipient, message, first);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** The newest run, if it is over; nothing where it is open, or forgotten. */
async function endedRun(
  { client }: Post,
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

interface Start<Record> {
  record: Record | undefined;
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE';
}

async function signalWithStart<Record extends Kept>(
  { client, taskQueue }: Post,
  { workflow, workflowId, inputWith, attributes, connectionId: named }: Recipient<Record>,
  { signal, args: signalArgs, by }: Message,
  { record, workflowIdReusePolicy }: Start<Record>,
): Promise<void> {
  const connectionId = record?.connectionId ?? named;
  const on = connectionId === undefined ? '' : `, connection ${connectionId}`;
  await client.workflow.signalWithStart(workflow, {
    workflowId,
    taskQueue,
    workflowIdReusePolicy,
    args: [inputWith(record)],
    signal,
    signalArgs,
    staticSummary: `${record === undefined ? 'found' : 'taken up again'} by ${by}${on}`,
    typedSearchAttributes: [
      ...attributes,
      { key: AWAITING, value: 'look-up' },
      { key: AWAITING_SINCE, value: new Date() },
      ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
    ],
  });
}

/** What a run that is over knew; undefined where it left nothing, or had never found out what it was about. */
async function recordOf<Record extends Kept>(
  { client }: Post,
  { workflowId, uid }: Recipient<Record>,
  runId: string,
): Promise<Record | undefined> {
  const end: unknown = await client.workflow
    .getHandle(workflowId, runId)
    .result()
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError)) throw error;
    });
  return isEnd<Record>(end, uid) ? end.record : undefined;
}

/** A run ends with what stands and with its record; one of an `unknown` uid has nothing that is worth taking up. */
const isEnd = <Record extends Kept>(end: unknown, uid: string): end is { record: Record } =>
  isObject(end) && Reflect.get(end, 'state') !== 'unknown' && isRecord(Reflect.get(end, 'record'), uid);

const isRecord = (record: unknown, uid: string): boolean =>
  isObject(record) && Reflect.get(record, 'uid') === uid;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
