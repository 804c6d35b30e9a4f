// Stores an `Idempotency-Key` that was sent beside an agreement's uid: a run that ends at once, with the key's digest in its id.
import type { KeyUse } from '../../domain/commands/key-use.js';

export const KEY_WORKFLOW = 'key';

/** @param digest of the key within its scope. Only the first request with the key starts the run. */
export const keyWorkflowId = (digest: string): string => `key/${digest}`;

/** The run with this id shows that the request of another run was refused, so the key is free again. @param runId of that other run. */
export const freedWorkflowId = (digest: string, runId: string): string => `key/${digest}/freed/${runId}`;

/** The run that binds a key that was freed. @param runId of the run that bound it before. */
export const nextKeyWorkflowId = (digest: string, runId: string): string => `key/${digest}/${runId}`;

/** The request that the key belongs to, for Temporal's retention period. */
export type BoundTo = Omit<KeyUse, 'key'>;
