// Delivers a signal to an agreement or a payment, whether its run is open, is over, or never was.
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { isOpen } from './open.js';
import { fairnessOf } from '../workflows/entity/contract.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../workflows/entity/search-attributes.js';
import type { Client } from '@temporalio/client';
import type { Carried } from '../workflows/entity/contract.js';
import type { SearchAttributePair, SignalDefinition } from '@temporalio/common';

/** What a run that is over left: whose it was, and what the next one takes up as it is. */
interface Left<State> {
  connectionId?: string | undefined;
  carried: Carried<State>;
}

export interface Recipient<State = unknown> {
  uid: string;
  /** Whose account it belongs to, for one that is unknown here. */
  connectionId: string | undefined;
  workflow: string;
  workflowId: string;
  /** The input of a new run; with nothing carried it looks its uid up first. */
  inputWith: (carried: Carried<State> | undefined) => object;
  attributes: SearchAttributePair[];
}

/** A signal with its arguments, and what sends it, for the page of a run that this begins: "a notification". */
export interface Message {
  signal: string;
  args: unknown[];
  by: string;
}

/** The one way to make a message: its arguments are what the signal takes. */
export const messageOf = <Args extends unknown[]>(
  by: string,
  { name }: SignalDefinition<Args>,
  ...args: Args
): Message => ({ signal: name, args, by });

/** Temporal, and the task queue of a run that begins. */
export interface Destination {
  client: Client;
  taskQueue: string;
}

/** How often another call may open the run between our reading it and our signal. */
const ATTEMPTS = 3;

/**
 * Resolves with true once the message is durable, and with false where a run was opened and ended again each time that
 * we tried: nothing was kept then, and the caller has to deliver it again.
 * @throws what Temporal's client throws; the message may or may not have been kept.
 */
export async function deliver<State>(
  to: Destination,
  recipient: Recipient<State>,
  message: Message,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isDelivered(to, recipient, message)) return true;
    const endedRunId = await endedRun(to, recipient);
    if (endedRunId !== undefined) {
      const left = await leftBy(to, recipient, endedRunId);
      await signalWithStart(to, recipient, message, { left, workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
      return true;
    }
  }
  return false;
}

/** Signals a run that is open, or the first one; false when there was one, and it is over. */
async function isDelivered<State>(
  to: Destination,
  recipient: Recipient<State>,
  message: Message,
): Promise<boolean> {
  try {
    const first = { left: undefined, workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
    await signalWithStart(to, recipient, message, first);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** The newest run, if it is over; nothing where it is open, or forgotten. */
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

interface Start<State> {
  left: Left<State> | undefined;
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE';
}

async function signalWithStart<State>(
  { client, taskQueue }: Destination,
  { workflow, workflowId, inputWith, attributes, connectionId: named }: Recipient<State>,
  { signal, args: signalArgs, by }: Message,
  { left, workflowIdReusePolicy }: Start<State>,
): Promise<void> {
  const connectionId = left?.connectionId ?? named;
  const on = connectionId === undefined ? '' : `, connection ${connectionId}`;
  await client.workflow.signalWithStart(workflow, {
    workflowId,
    taskQueue,
    workflowIdReusePolicy,
    args: [inputWith(left?.carried)],
    signal,
    signalArgs,
    staticSummary: `${left === undefined ? 'found' : 'taken up again'} by ${by}${on}`,
    priority: fairnessOf({ connectionId }),
    typedSearchAttributes: [
      ...attributes,
      { key: AWAITING, value: 'look-up' },
      { key: AWAITING_SINCE, value: new Date() },
      ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
    ],
  });
}

/** What a run that is over left; nothing where it had never found out what it was about. */
async function leftBy<State>(
  { client }: Destination,
  { workflowId, uid }: Recipient<State>,
  runId: string,
): Promise<Left<State> | undefined> {
  const end: unknown = await client.workflow
    .getHandle(workflowId, runId)
    .result()
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError)) throw error;
    });
  return isLeft<State>(end, uid) ? end : undefined;
}

/** A run ends with its view and what it leaves; one of an `unknown` uid has nothing that is worth taking up. */
const isLeft = <State>(end: unknown, uid: string): end is Left<State> =>
  isObject(end) &&
  Reflect.get(end, 'state') !== 'unknown' &&
  Reflect.get(end, 'uid') === uid &&
  isObject(Reflect.get(end, 'carried'));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
