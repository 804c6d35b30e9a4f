import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { eventually } from '../temporal.js';
import type { Payload } from '../../../sealing/sealed-payload.js';

export function lettersOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, content]) => `${name} ${lettersOf(content)}`)
    .join('\n');
}

function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if (isPayload(value)) return [value];
  return Object.values(value).flatMap(payloadsIn);
}
const isPayload = (value: object): value is Payload =>
  'metadata' in value && 'data' in value && value.data instanceof Uint8Array;

export async function openedLettersOf(value: unknown, codec: PayloadCodec): Promise<string> {
  const sealed = payloadsIn(value).filter(({ metadata }) => lettersOf(metadata).includes('binary/encrypted'));
  return lettersOf(await codec.decode(sealed));
}

export async function rawRunsOf(client: Client, rootId: string, count: number): Promise<unknown[]> {
  const { workflowService } = client;
  const { namespace } = client.options;
  const query = `RootWorkflowId = "${rootId}" AND ExecutionStatus != "Running"`;
  const listed = await eventually(
    () => workflowService.listWorkflowExecutions({ namespace, query }),
    ({ executions }) => executions.length === count,
  );
  const histories = listed.executions.map(({ execution }) =>
    workflowService.getWorkflowExecutionHistory({ namespace, execution: execution ?? null }),
  );
  return [listed, ...(await Promise.all(histories))];
}
