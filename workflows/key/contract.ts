// Binds the `Idempotency-Key` of a create while the records (PostgreSQL) are away: a run that is open until it has copied the key into them.
import type { KeyRequest } from '../../domain/records/bound-key.js';

export const KEY_WORKFLOW = 'key';

/** @param digest of the key within its scope. */
export const keyWorkflowId = (digest: string): string => `key/${digest}`;

export type KeyInput = KeyRequest;

/** The memo has the request, so that no worker is needed to read it, also after the run. */
export const MEMO = 'bound';
