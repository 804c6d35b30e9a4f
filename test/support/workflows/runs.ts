import { defaultPayloadConverter } from '@temporalio/common';
import { agreementWorkflowId } from '../../../workflows/agreement/contract.js';
import { CODEC } from '../temporal.js';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { AgreementState } from '../../../workflows/agreement/state.js';
import type { agreement } from '../../../workflows/agreement/workflow.js';
import type { AgreementInput } from '../../../workflows/agreement/contract.js';

export interface Run {
  runId: string;
  /** How many events it holds. */
  events: number;
  input: AgreementInput;
}

/** Whichever run there is when it is called. */
export const newestOf = (client: Client, uid: string): WorkflowHandle<typeof agreement> =>
  client.workflow.getHandle<typeof agreement>(agreementWorkflowId(uid));

/** The ids of every fact that these states know, in full or by id alone. */
export const idsIn = (states: readonly (AgreementState | undefined)[]): Set<string> =>
  new Set(
    states.flatMap((state) => [...(state?.olderIds ?? []), ...(state?.facts ?? []).map(({ id }) => id)]),
  );

/** From the first run to the last, by what each handed over to. */
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
