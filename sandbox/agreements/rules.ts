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

// The rules between the dates of an agreement, checked at creation and for the changed dates of an amendment.
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

/** ZPAGR08 states "end too early". Our reading: this includes an end before the payments that it must cover. */
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
 * @param changed the changed dates. An amendment is not refused because the agreement's own start date has passed.
 * @throws Refusal 422 with the code of the first broken rule.
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

// A balloon agreement collects nothing after its last payment, whether that is settled or in progress.

/** @param payments may include payments of other agreements. A failed payment does not count as the last one. */
export function lastPaymentMade(payments: Iterable<Payment>, agreementUid: string): boolean {
  return [...payments].some(
    (payment) =>
      payment.agreement_uid === agreementUid && payment.last_payment === true && payment.state !== 'failed',
  );
}

/** How long the payer has to answer. After this the agreement becomes `expired` (docs/provider.md#limits). */
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

/** The detail of ZPAGR02 and ZPAMN06: the deadline is later than the maximum time to answer. */
export function tooLate(nowMs: number): string {
  return `Resolution requested before cannot be after ${new Date(nowMs + UNANSWERED_MS).toISOString()}`;
}

/** The parties with their resolved accounts. */
export interface Parties {
  debtor: Party;
  creditor: Party | null;
}

/** @throws Refusal 422 with the code of the first broken rule. */
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

/** The window of both limits: attempts for one debtor account, and agreements created by our account (docs/provider.md#limits). */
const WINDOW_MS = 24 * 60 * 60_000;

/**
 * Counts an attempt to create an agreement, or refuses it with ZPAGR15 or ZPAGR16. For ZPAGR15, an attempt
 * counts even if a later rule refuses it. Not documented, our choice: an attempt over the limit does not count, nor does one with an
 * existing uid. For ZPAGR16, only created agreements count.
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
