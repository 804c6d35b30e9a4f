// An operator's resolution of what a flag warned of, and how a repeat of it is known. Pure.
import { resolutionId } from './command-ids.js';
import type { Fact } from './fact.js';
import type { AttentionCode } from './legible.js';
import type { Repeat } from './repeat.js';

/** What is done about what is parked: what the provider has is taken for ours, or ours is given up. */
export const DECISIONS = ['adopt', 'close'] as const;
export type Decision = (typeof DECISIONS)[number];

export interface AttentionResolution {
  /** Digest of the caller's key within its scope: the same key is the same resolution, however often it comes. */
  key: string;
  code: AttentionCode;
  /** Why it counts as settled; kept in the timeline. */
  reason: string;
  /** For `parked` alone, and needed there. */
  decision?: Decision | undefined;
  /** The id of the API key that they used. */
  by: string;
}

/** What an agreement keeps: the newest facts in full, and of older ones the ids. */
interface Kept {
  facts: readonly Fact[];
  olderIds: readonly string[];
}

/** One that is known by its id alone does not say any more what it was about: it is taken for the same. */
export function repeatOfResolution(
  { facts, olderIds }: Kept,
  { key, code, reason, decision }: AttentionResolution,
): Repeat {
  const id = resolutionId(key);
  const known = facts.find((fact) => fact.id === id);
  if (known === undefined) return olderIds.includes(id) ? 'same' : 'none';
  const { detail, reason: given } = known;
  const isSame = detail?.['code'] === code && detail['decision'] === decision && given?.narrative === reason;
  return isSame ? 'same' : 'other';
}
