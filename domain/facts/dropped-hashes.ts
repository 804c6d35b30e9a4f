// Ids of dropped facts, as short hashes. Pure.
import { shortHash } from './short-hash.js';

/** A state stores only the newest hashes, about 70 KB. */
export const MAX_HASHES = 4000;

/** Whether a fact with this id was received and then dropped. */
export const isDropped = (hashes: readonly string[] | undefined, id: string): boolean =>
  hashes !== undefined && hashes.length > 0 && hashes.includes(shortHash(id));

/** Adds the hashes of these ids. */
export const addDropped = (hashes: readonly string[] = [], ids: readonly string[]): string[] =>
  [...hashes, ...ids.map(shortHash)].slice(-MAX_HASHES);
