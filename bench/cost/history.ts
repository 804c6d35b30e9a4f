// The content of a history by event: the size of its payloads, and the number of failed workflow tasks.
import type { Client } from '@temporalio/client';

export interface HistoryFigures {
  bytes: number;
  failedTasks: number;
  /** Of search attributes. */
  upserts: number;
}

export async function readHistory(
  temporal: Client,
  workflowId: string,
  runId: string,
): Promise<HistoryFigures> {
  const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
  const figures: HistoryFigures = { bytes: 0, failedTasks: 0, upserts: 0 };
  for (const event of events ?? []) {
    const bytes = payloadBytesIn(event);
    figures.bytes += bytes;
    if (event.workflowTaskFailedEventAttributes) figures.failedTasks += 1;
    if (event.upsertWorkflowSearchAttributesEventAttributes) figures.upserts += 1;
    if (process.argv.includes('--histories')) console.log(lineOf(workflowId, event, bytes));
  }
  return figures;
}

type HistoryEvent = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

/** A payload has data, and metadata with its encoding. */
function payloadBytesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const data: unknown = Reflect.get(value, 'data');
  if (Reflect.has(value, 'metadata') && data instanceof Uint8Array) return data.length;
  return Object.values(value).reduce<number>((sum, part) => sum + payloadBytesIn(part), 0);
}

function lineOf(workflowId: string, event: HistoryEvent, bytes: number): string {
  const name =
    event.workflowExecutionSignaledEventAttributes?.signalName ??
    event.activityTaskScheduledEventAttributes?.activityType?.name ??
    event.signalExternalWorkflowExecutionInitiatedEventAttributes?.signalName ??
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ??
    event.workflowTaskFailedEventAttributes?.cause ??
    '';
  return [workflowId, event.eventId, event.eventType, name, bytes].join(' ');
}
