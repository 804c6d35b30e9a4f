// Tells an agreement or a payment of a fact, whether its run is open, is over, or never was.
// In:  api/temporal-notifications.ts. Out: Temporal; a run that is over is taken up again by one that knows all it knew.
import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import type { SearchAttributePair, SignalDefinition } from '@temporalio/common';
import type { Fact } from '../domain/fact.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../workflows/search-attributes.contract.js';
import { ApiError } from './errors.js';
import type { Calls } from './temporal-calls.js';

interface Kept {
  uid: string;
  connectionId?: string | undefined;
}

export interface Recipient<Record extends Kept> {
  uid: string;
  /** Whose account it belongs to, for one that nobody here has heard of. */
  connectionId: string | undefined;
  workflow: string;
  workflowId: string;
  signal: SignalDefinition<[Fact]>;
  /** What a new run is given; without a record it looks its uid up first. */
  inputWith: (record: Record | undefined) => object;
  attributes: SearchAttributePair[];
}

/** How often another call may open the run between our looking and our telling. */
const ATTEMPTS = 3;

/** Resolves once the fact is durable. */
export const tell = <Record extends Kept>(
  calls: Calls,
  recipient: Recipient<Record>,
  fact: Fact,
): Promise<void> =>
  calls.short(async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await isTold(calls, recipient, fact)) return;
      const last = await calls.describe(recipient.workflowId);
      if (last?.isOpen === false) {
        const record = await recordOf(calls, recipient, last.runId);
        return signalWithStart(calls, recipient, fact, { record, workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
      }
    }
    throw new ApiError('temporal_unavailable', 'The notification was not kept. Send it again.');
  });

/** Tells a run that is open, or the first one; false when there was one, and it is over. */
async function isTold<Record extends Kept>(
  calls: Calls,
  recipient: Recipient<Record>,
  fact: Fact,
): Promise<boolean> {
  try {
    const first = { record: undefined, workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
    await signalWithStart(calls, recipient, fact, first);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

interface Start<Record> {
  record: Record | undefined;
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE';
}

async function signalWithStart<Record extends Kept>(
  { client, taskQueue }: Calls,
  { workflow, workflowId, signal, inputWith, attributes, connectionId: named }: Recipient<Record>,
  fact: Fact,
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
    signalArgs: [fact],
    staticSummary: `${record === undefined ? 'found' : 'taken up again'} by a notification${on}`,
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
  { client }: Calls,
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
