import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { eventually } from '../temporal.js';
import type { Payload } from '../../../sealing/sealed-payload.js';

/** Everything in there that could be read, bytes included. */
export function lettersOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, content]) => `${name} ${lettersOf(content)}`)
    .join('\n');
}

/** Every payload in there, at whatever depth. */
function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if (isPayload(value)) return [value];
  return Object.values(value).flatMap(payloadsIn);
}
const isPayload = (value: object): value is Payload =>
  'metadata' in value && 'data' in value && value.data instanceof Uint8Array;

/** What only whoever has the keys can read. Payloads that Temporal's own parts wrote in clear are left out. */
export async function openedLettersOf(value: unknown, codec: PayloadCodec): Promise<string> {
  const sealed = payloadsIn(value).filter(({ metadata }) => lettersOf(metadata).includes('binary/encrypted'));
  return lettersOf(await codec.decode(sealed));
}

/** Of a workflow and its children, as the server has them: what lists show, and every event of every run. */
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
