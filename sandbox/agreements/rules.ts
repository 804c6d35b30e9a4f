// The business rules for a new agreement, in the order in which the provider checks them.
import type { Engine } from '../engine/parts.js';
import { enforce, refuseByCode, type FixedCode, type Rule } from '../http/refusal.js';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import type { PaymentTerms } from '../store/agreement.schema.js';
import type { AccountIdentifier, Party } from '../store/entities.schema.js';
import type { Payment } from '../store/payment.schema.js';
import { sydneyDay } from '../time/sydney.js';
import { creditorAccountProblem, debtorAccountProblem } from './parties.js';
import type { CreateAgreement } from './request.schema.js';

// What must hold between the days of an agreement, at its creation and of what an amendment changes.
const DATE_FIELDS = [
  'validity_start_date',
  'validity_end_date',
  'first_payment_date',
  'last_payment_date',
] as const;
export type DateField = (typeof DATE_FIELDS)[number];

/** Days as YYYY-MM-DD, in Sydney (docs/provider.md#conventions). */
export type Dates = { uid: string } & Record<DateField, string | null>;

interface DateRule {
  code: FixedCode;
  about: readonly DateField[];
  isBroken: (dates: Dates, today: string) => boolean;
}

const isBefore = (a: string | null, b: string | null): boolean => a !== null && b !== null && a < b;

const isPast = (code: FixedCode, field: DateField): DateRule => ({
  code,
  about: [field],
  isBroken: (dates, today) => isBefore(dates[field], today),
});

const isReversed = (code: FixedCode, first: DateField, then: DateField): DateRule => ({
  code,
  about: [first, then],
  isBroken: (dates) => isBefore(dates[then], dates[first]),
});

/** ZPAGR08 says "end too early": that an end before the payments it must cover is meant too is our reading. */
const DATE_RULES: readonly DateRule[] = [
  isPast('ZPAGR04', 'validity_start_date'),
  isReversed('ZPAGR06', 'validity_start_date', 'validity_end_date'),
  isPast('ZPAGR08', 'validity_end_date'),
  isReversed('ZPAGR07', 'validity_start_date', 'first_payment_date'),
  isPast('ZPAGR09', 'first_payment_date'),
  isPast('ZPAGR10', 'last_payment_date'),
  isReversed('ZPAGR11', 'first_payment_date', 'last_payment_date'),
  isReversed('ZPAGR08', 'first_payment_date', 'validity_end_date'),
  isReversed('ZPAGR08', 'last_payment_date', 'validity_end_date'),
];

/**
 * @param changed those that are new: an agreement that has begun is not refused for the start it had.
 * @throws Refusal: 422 with the code of the first rule that is broken.
 */
export function checkDates(dates: Dates, nowMs: number, changed: readonly DateField[] = DATE_FIELDS): void {
  const today = sydneyDay(nowMs);
  const broken = DATE_RULES.find(
    ({ about, isBroken }) => about.some((field) => changed.includes(field)) && isBroken(dates, today),
  );
  if (broken !== undefined) throw refuseByCode(broken.code, dates.uid);
}

export const isDateField = (field: string): field is DateField =>
  DATE_FIELDS.some((known) => known === field);

// Whether the last payment of a balloon agreement has been made, or is under way: after it nothing is collected.

/** @param payments those of any agreements; one that failed is no last payment. */
export function lastPaymentMade(payments: Iterable<Payment>, agreementUid: string): boolean {
  return [...payments].some(
    (payment) =>
      payment.agreement_uid === agreementUid && payment.last_payment === true && payment.state !== 'failed',
  );
}

/** How long the payer has; then the provider says `expired` (docs/provider.md#limits). */
export const UNANSWERED_MS = 5 * 24 * 60 * 60_000;

interface Circumstances {
  nowMs: number;
  version: ApiVersion;
}

interface Case extends Circumstances {
  request: CreateAgreement;
}

const RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPAGR18',
    broken: ({ request: { initiator }, version }) =>
      !isAtLeast(version, '20260901') &&
      initiator != null &&
      [initiator.abn, initiator.acn].filter((identifier) => identifier != null).length !== 1,
  },
  {
    code: 'ZPAGR17',
    broken: ({ request }) =>
      request.cancel_if_unresolved === true && request.resolution_requested_before == null,
  },
  {
    code: 'ZPAGR03',
    broken: ({ request: { resolution_requested_before: before }, nowMs }) =>
      before != null && Date.parse(before) <= nowMs,
  },
  {
    code: 'ZPAGR02',
    text: ({ request: { resolution_requested_before: before }, nowMs }) =>
      before != null && Date.parse(before) > nowMs + UNANSWERED_MS ? tooLate(nowMs) : undefined,
  },
];

/** What ZPAGR02 and ZPAMN06 say of a deadline that is later than an answer is waited for. */
export function tooLate(nowMs: number): string {
  return `Resolution requested before cannot be after ${new Date(nowMs + UNANSWERED_MS).toISOString()}`;
}

/** The parties with the accounts that they were found to have. */
export interface Parties {
  debtor: Party;
  creditor: Party | null;
}

/** @throws Refusal: 422 with the code of the first rule that is broken. */
export function checkAgreement(
  request: CreateAgreement,
  { terms, debtor, creditor }: Parties & { terms: PaymentTerms },
  circumstances: Circumstances,
): void {
  const { uid } = request;
  enforce(RULES, { request, ...circumstances }, uid);
  const problem =
    debtorAccountProblem(debtor.account_identifier) ??
    (creditor === null ? undefined : creditorAccountProblem(creditor.account_identifier));
  if (problem !== undefined) throw refuseByCode(problem, uid);
  checkDates(
    {
      ...terms,
      uid,
      validity_start_date: request.validity_start_date ?? null,
      validity_end_date: request.validity_end_date ?? null,
    },
    circumstances.nowMs,
  );
}

/** Attempts are counted over 24 hours, for one debtor account and by one account of ours (docs/provider.md#limits). */
const WINDOW_MS = 24 * 60 * 60_000;

/**
 * Notes an attempt to create an agreement, or refuses it with ZPAGR15 or ZPAGR16. Attempts count, so those that a rule
 * refuses afterwards do too. Those refused here count no further, nor does a uid that exists: no document says either.
 */
export function countAttempt(engine: Engine, uid: string, debtor: AccountIdentifier): void {
  const { store, clock, settings } = engine;
  const since = clock.now() - WINDOW_MS;
  const account = `${debtor.type}:${debtor.value}`;
  const recent = (store.creationAttempts.get(account) ?? []).filter((at) => at > since);
  const { agreements_per_debtor_per_day: perDebtor, agreements_per_account_per_day: perAccount } =
    settings.limits;
  if (recent.length >= perDebtor) throw refuseByCode('ZPAGR15', uid);
  if (createdSince(engine, since) >= perAccount) {
    throw refuseByCode('ZPAGR16', uid);
  }
  store.creationAttempts.set(account, [...recent, clock.now()]);
  store.touch();
}

function createdSince({ store }: Engine, sinceMs: number): number {
  const since = new Date(sinceMs).toISOString();
  let count = 0;
  for (const { created_at } of store.agreements.values()) if (created_at > since) count += 1;
  return count;
}
