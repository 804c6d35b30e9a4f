// An operator's word that what a flag warned of has been dealt with, and how a repeat of it is known. Pure.
import { resolutionId } from './our-ids.js';
import type { Fact } from './fact.js';
import type { AttentionCode } from './legible.js';

export interface AttentionResolution {
  /** The caller's: the same key is the same word, however often it comes. Words of before keys were asked for have none. */
  key?: string | undefined;
  code: AttentionCode;
  /** Why an operator holds it to be settled; kept in the timeline. */
  reason: string;
  /** The id of the API key that they used. */
  by: string;
}

/** What an agreement remembers: the newest facts in full, and of older ones the ids. */
interface Remembered {
  facts: readonly Fact[];
  olderIds: readonly string[];
}

/** Whether the key was used before: for the same, or for something else. */
export type Repeat = 'none' | 'same' | 'other';

/** Of a word that is known by its id alone nobody can say any more what it was about: it is taken for the same. */
export function repeatOfResolution(
  { facts, olderIds }: Remembered,
  { key, code, reason }: AttentionResolution,
): Repeat {
  if (key === undefined) return 'none';
  const id = resolutionId(key);
  const known = facts.find((fact) => fact.id === id);
  if (known === undefined) return olderIds.includes(id) ? 'same' : 'none';
  return known.detail?.['code'] === code && known.reason?.narrative === reason ? 'same' : 'other';
}
