// An operator's resolution of an attention flag. Pure.
import { useOf, type KeyUse } from '../commands/key-use.js';
import type { Instant } from '../facts/fact.js';
import type { AttentionCode } from './flags.js';

/** For a parked submission: treat the provider's resource as ours, or give ours up. */
export const DECISIONS = ['adopt', 'close'] as const;
export type Decision = (typeof DECISIONS)[number];

export interface AttentionResolution {
  /** Digest of the caller's key within its scope. Requests with the same key are one resolution. */
  key: string;
  code: AttentionCode;
  /** Why it is resolved; stored in the timeline. */
  reason: string;
  /** Required for `parked`, and not allowed for other flags. */
  decision?: Decision | undefined;
  /** With `adopt` of a client: the provider's id of our client. */
  clientId?: string | undefined;
  /** The flag that was raised then. A flag that was raised again later is not resolved. Default: any. */
  since?: Instant | undefined;
  /** The operator's principal. */
  by: string;
}

/** The use of the resolution's key. @param uid of the resource. */
export const useOfResolution = (
  uid: string,
  { key, code, reason, decision, clientId }: AttentionResolution,
): KeyUse => useOf(key, uid, { code, reason, decision, clientId });
