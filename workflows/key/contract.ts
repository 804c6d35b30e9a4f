// How a caller's key that came beside the uid of an agreement is kept: by a run that has nothing to do, named by the key's digest.
import type { KeyUse } from '../../domain/commands/key-use.js';

export const KEY_WORKFLOW = 'key';

/** @param digest of the key within its scope: only the first request with it begins the run. */
export const keyWorkflowId = (digest: string): string => `key/${digest}`;

/** What the key stands for, as long as Temporal keeps the run. */
export type BoundTo = Omit<KeyUse, 'key'>;
