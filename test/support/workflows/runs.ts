import { ServiceError, isGrpcDeadlineError, type WorkflowHandle, type Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import {
  AGREEMENT_WORKFLOW,
  agreementWorkflowId,
  getAgreement,
  type AgreementInput,
  type AgreementView,
} from '../../../workflows/agreement/contract.js';
import {
  PAYMENT_WORKFLOW,
  getPayment,
  paymentWorkflowId,
  type PaymentInput,
  type PaymentView,
} from '../../../workflows/payment/contract.js';
import { eventually, type Temporal, CODEC } from '../temporal.js';
import { A_MANDATE, anOrder } from './provider.js';
import type { agreement, payment } from '../../../workflows/index.js';
import { defaultPayloadConverter } from '@temporalio/common';
import { isDropped } from '../../../domain/facts/dropped-hashes.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { AgreementState } from '../../../workflows/agreement/state.js';

export type Started<T> = T & { uid: string };

export async function startAgreement(
  { client, taskQueue }: Temporal,
  input: Partial<AgreementInput> = {},
): Promise<Started<WorkflowHandle<typeof agreement>>> {
  const uid = input.uid ?? `agr-${randomUUID()}`;
  const handle = await client.workflow.start<typeof agreement>(AGREEMENT_WORKFLOW, {
    taskQueue,
    workflowId: agreementWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', mandate: A_MANDATE, ...input }],
  });
  return Object.assign(handle, { uid });
}

export async function startPaymentUnderAgreement(
  temporal: Temporal,
  input: Partial<PaymentInput> = {},
): Promise<Started<WorkflowHandle<typeof payment>>> {
  const agreement = await startAgreement(temporal);
  await untilAgreement(agreement, ({ state }) => state === 'active');
  return startPayment(temporal, { order: anOrder(agreement.uid), ...input });
}

export async function startPayment(
  { client, taskQueue }: Temporal,
  input: Partial<PaymentInput> = {},
): Promise<Started<WorkflowHandle<typeof payment>>> {
  const uid = input.uid ?? `pay-${randomUUID()}`;
  const handle = await client.workflow.start<typeof payment>(PAYMENT_WORKFLOW, {
    taskQueue,
    workflowId: paymentWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', order: anOrder('agr-1'), ...input }],
  });
  return Object.assign(handle, { uid });
}

export async function untilAgreement(
  handle: Pick<WorkflowHandle, 'query'>,
  isIt: (view: AgreementView) => boolean,
): Promise<AgreementView> {
  const view = await eventually(
    () => handle.query(getAgreement).catch(noneIfLate),
    (seen) => seen !== undefined && isIt(seen),
  );
  if (view === undefined) throw new Error('expected an agreement');
  return view;
}

function noneIfLate(error: unknown): undefined {
  const isLate = error instanceof ServiceError && isGrpcDeadlineError(error.cause);
  if (!isLate) throw error;
}

export const untilPayment = (
  handle: Pick<WorkflowHandle, 'query'>,
  isIt: (view: PaymentView) => boolean,
): Promise<PaymentView> => eventually(() => handle.query(getPayment), isIt);

export interface Run {
  runId: string;
  events: number;
  input: AgreementInput;
}

export const newestOf = (client: Client, uid: string): WorkflowHandle<typeof agreement> =>
  client.workflow.getHandle<typeof agreement>(agreementWorkflowId(uid));

export const unknownTo = ({ droppedHashes, facts }: AgreementState, expected: readonly Fact[]): string[] =>
  expected
    .map(({ id }) => id)
    .filter((id) => !isDropped(droppedHashes, id) && facts.every((fact) => fact.id !== id));

export const countIn = ({ droppedHashes = [], facts }: AgreementState): number =>
  new Set(droppedHashes).size + facts.filter(({ id }) => !isDropped(droppedHashes, id)).length;

export async function runsOf(client: Client, uid: string, firstRunId: string): Promise<Run[]> {
  const runs: Run[] = [];
  for (let runId = firstRunId; runId !== '';) {
    const events = await eventsOf(client, uid, runId);
    const [payload] = events.at(0)?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    if (payload === undefined) throw new Error(`run ${runId} has no input`);
    const [opened = {}] = await CODEC.decode([payload]);
    runs.push({ runId, events: events.length, input: defaultPayloadConverter.fromPayload(opened) });
    runId = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? '';
  }
  return runs;
}

type Events = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

async function eventsOf(client: Client, uid: string, runId: string): Promise<Events> {
  const { events } = await client.workflow.getHandle(agreementWorkflowId(uid), runId).fetchHistory();
  return events ?? [];
}
