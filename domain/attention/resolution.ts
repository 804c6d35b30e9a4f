// An operator's resolution of what a flag warned of. Pure.
import { useOf } from '../commands/key-use.js';
import type { KeyUse } from '../commands/key-use.js';
import type { AttentionCode } from './flags.js';

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
  /** With `adopt` of a client: the provider's id of the one that is ours. */
  clientId?: string | undefined;
  /** The principal of the person. */
  by: string;
}

/** What its key was used for. @param uid of the resource. */
export const useOfResolution = (
  uid: string,
  { key, code, reason, decision, clientId }: AttentionResolution,
): KeyUse => useOf(key, uid, { code, reason, decision, clientId });
