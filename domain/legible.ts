// What is awaited and what needs a person, in words that an operator can read. Pure.
import type { Instant } from './fact.js';

export const AWAITING_WHAT = [
  'provider-acceptance', // our request is on its way; the provider has not answered
  'payer-decision', // the payer decides in their bank's app
  'action-outcome', // the provider has accepted a command; its outcome comes later
  'amendment-decision', // the payer decides on an amendment
  'look-up', // something must be read from the provider before we go on
  'reauthorisation', // a person must consent (again) before the provider will talk to us
  'settlement', // the provider has the payment; its outcome comes later
  'submission-outcome', // we do not know whether the provider has what was sent
  'operator', // an operator must decide
  'consent', // the merchant has not consented yet
  'nothing',
] as const;
export type AwaitingWhat = (typeof AWAITING_WHAT)[number];

/** What a resource waits for, since when, and until when at the most (absent: as long as it takes). */
export interface Awaiting {
  what: AwaitingWhat;
  since: Instant;
  until?: Instant | undefined;
}

export const ATTENTION_CODES = [
  'overdue',
  'conflict',
  'unknown_outcome',
  'parked',
  'needs_reauthorisation',
  'strikes',
  'orphan',
  'forbidden',
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

export const lower = (list: readonly Attention[], code: AttentionCode): Attention[] =>
  list.filter((flag) => flag.code !== code);
