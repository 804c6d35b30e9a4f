// What a person should know: flags with what to do about each. Pure.
import type { Instant } from '../facts/fact.js';

export const ATTENTION_CODES = [
  'overdue',
  'conflict',
  'unknown_outcome',
  'parked',
  'needs_reauthorisation',
  'other_account',
  'account_unconfirmed',
  'strikes',
  'orphan',
  'forbidden',
  'cancel_requested',
  'unrecognised',
  'plan',
  'stopped',
] as const;
export type AttentionCode = (typeof ATTENTION_CODES)[number];

/** Something that a person should know, and what they can do about it. */
export interface Attention {
  code: AttentionCode;
  since: Instant;
  detail: string;
  next: string;
}

/** The list with this flag raised; one that stands already keeps its date. */
export function raise(list: readonly Attention[], flag: Attention): Attention[] {
  return list.some(({ code }) => code === flag.code) ? [...list] : [...list, flag];
}

/** The list without the flag of this code. */
export const lower = (list: readonly Attention[], code: AttentionCode): Attention[] =>
  list.filter((flag) => flag.code !== code);
