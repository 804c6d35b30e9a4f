// Ids of facts that are no longer kept, as short hashes. Pure.
import { shortHash } from './short-hash.js';

/** A state holds so many, the newest: about 70 KB. */
export const MAX_HASHES = 4000;

/** Whether a fact of this id was received and is no longer kept. */
export const isDropped = (hashes: readonly string[] | undefined, id: string): boolean =>
  hashes !== undefined && hashes.length > 0 && hashes.includes(shortHash(id));

/** The hashes with those of these ids. */
export const addDropped = (hashes: readonly string[] = [], ids: readonly string[]): string[] =>
  [...hashes, ...ids.map(shortHash)].slice(-MAX_HASHES);
