// Attention flags for an operator. Pure.
import type { Instant } from '../facts/fact.js';

export const ATTENTION_CODES = [
  'overdue',
  'conflict',
  'unknown_outcome',
  'parked',
  'needs_reauthorisation',
  'other_account',
  'account_unconfirmed',
  'refresh_token_missing',
  'consecutive_failures',
  'orphan',
  'forbidden',
  'cancel_requested',
  'unrecognised',
  'plan',
  'stopped',
  'records',
  'float_chain',
  'float_account_gone',
  'credit_unconfirmed',
  'credit_undecided',
  'undelivered',
  'endpoint_disabled',
] as const;
export type AttentionCode = (typeof ATTENTION_CODES)[number];

/** As a filter of lists: at least one flag. */
export const ANY_FLAG = 'any';

/** A problem that an operator should know about, and what to do next. */
export interface Attention {
  code: AttentionCode;
  since: Instant;
  detail: string;
  next: string;
}

/** Adds the flag. If its code is already in the list, the existing flag stays as it is. */
export function raise(list: readonly Attention[], flag: Attention): Attention[] {
  return list.some(({ code }) => code === flag.code) ? [...list] : [...list, flag];
}

/** Removes the flag with this code. */
export const lower = (list: readonly Attention[], code: AttentionCode): Attention[] =>
  list.filter((flag) => flag.code !== code);
