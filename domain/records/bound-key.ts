// Idempotency keys that no run holds: those of creates, and those that runs have dropped. Pure.
import type { Attention } from '../attention/flags.js';
import type { KeyUse } from '../commands/key-use.js';
import type { Instant } from '../facts/fact.js';
import type { ResourceName } from '../resources.js';

/** The request that a key belongs to. */
export interface BoundKey extends Omit<KeyUse, 'key'> {
  resource: ResourceName;
}

export interface KeyRequest extends BoundKey {
  key: string;
}

export interface KeyBindings {
  /**
   * Binds the key unless it is bound. @returns what it is bound to now.
   * @throws the error of the database if it did not answer, and RecordsIncomplete while rows may be missing.
   */
  bindKey: (request: KeyRequest) => Promise<BoundKey>;
  /** Raises a flag in the row of a thing without an open run. @returns false if there is no row. @throws the errors of the database. */
  flagRow: (of: Pick<BoundKey, 'resource' | 'uid'>, flag: Attention) => Promise<boolean>;
}

/** @param other the other thing that was requested with the key. */
export const keyOfTwo = (
  { resource, uid }: Pick<BoundKey, 'resource' | 'uid'>,
  since: Instant,
): Attention => ({
  ...{ code: 'conflict', since },
  detail: `Two requests with one Idempotency-Key were accepted, because the records (PostgreSQL) were away. The other one created the ${resource.replaceAll('-', ' ')} ${uid}.`,
  next: 'Ask the caller which of the two is right, and end the other one. Then resolve.',
});
