import { defaultPayloadConverter } from '@temporalio/common';
import { isDropped } from '../../../domain/facts/dropped-hashes.js';
import { agreementWorkflowId, type AgreementInput } from '../../../workflows/agreement/contract.js';
import { CODEC } from '../temporal.js';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Fact } from '../../../domain/facts/fact.js';
import type { AgreementState } from '../../../workflows/agreement/state.js';
import type { agreement } from '../../../workflows/index.js';

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
