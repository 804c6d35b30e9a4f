// Queries and list queries of the workflows that batch rows start.
import { ApplicationFailure } from '@temporalio/common';
import { isUnanswered } from '../../delivery/unanswered.js';
import { refusedRow, type RowAnswer, type RowRefusal } from '../../domain/batch/rows.js';
import { UID } from '../../domain/provider/uid.js';
import {
  CLIENT_WORKFLOW,
  clientWorkflowId,
  getClient,
  type ClientView,
} from '../../workflows/client/contract.js';
import { viewOf } from '../temporal/ask.js';
import type { Dependencies } from '../dependencies.js';
import type { Visibility } from '../temporal/visibility.js';

/** Update error codes that the API renames. */
const PUBLIC_CODES: ReadonlyMap<string, string> = new Map([
  ['payment_uid_conflict', 'idempotency_conflict'],
  ['payment_key_conflict', 'idempotency_conflict'],
  ['action_key_conflict', 'idempotency_conflict'],
]);

export const publicCode = (code: string): string => PUBLIC_CODES.get(code) ?? code;

/** Why an update was refused. @throws every other error unchanged, so that Temporal retries the attempt. */
export function refusalOfUpdate(error: unknown): RowRefusal {
  if (!(error instanceof Error) || !(error.cause instanceof ApplicationFailure)) throw error;
  const { type, message, details } = error.cause;
  if (type == null || isUnanswered(error.cause)) throw error;
  const pointer: unknown = Reflect.get(Object(details?.[0]), 'pointer');
  return { code: publicCode(type), pointer: typeof pointer === 'string' ? pointer : '', detail: message };
}

/** @param nowMs epoch milliseconds. */
export const rowRefused = (code: string, pointer: string, detail: string, nowMs: number): RowAnswer =>
  refusedRow([{ code, pointer, detail }], new Date(nowMs).toISOString());

/** Finds a client by the provider's id; undefined if we do not follow it. */
export type ClientReader = (clientId: string) => Promise<ClientView | undefined>;

/** Rows share the view of a client for this time, in milliseconds. A suspended client stops the rows after that. */
const READ_FOR_MS = 5000;

export function createClientReader(
  deps: Read,
  visibility: Visibility,
  now: () => number = Date.now,
): ClientReader {
  const read = new Map<string, { at: number; view: Promise<ClientView | undefined> }>();
  return (clientId) => {
    const before = read.get(clientId);
    if (before !== undefined && now() - before.at < READ_FOR_MS) return before.view;
    const view = clientOf(deps, visibility, clientId);
    read.set(clientId, { at: now(), view });
    return view;
  };
}

type Read = Pick<Dependencies, 'temporal' | 'records'>;

async function clientOf(
  deps: Read,
  visibility: Visibility,
  clientId: string,
): Promise<ClientView | undefined> {
  // Prevents query injection. Our search attributes contain only ids of this form.
  if (!UID.test(clientId)) return undefined;
  for await (const { workflowId } of visibility.list(
    `WorkflowType = '${CLIENT_WORKFLOW}' AND ClientId = '${clientId}'`,
  ))
    return viewOf(deps, 'client', workflowId.slice(clientWorkflowId('').length), getClient);
  // Temporal has forgotten it, or does not list it yet. While the records are away, the provider judges alone.
  const uid = await deps.records.clientUid(clientId).catch(() => undefined);
  return uid === undefined ? undefined : viewOf(deps, 'client', uid, getClient);
}
