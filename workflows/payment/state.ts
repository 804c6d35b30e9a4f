// What a payment workflow remembers, and what that asks it to do next. Plain JSON and pure.
// The rule above all others: one uid, and nothing is sent again until the provider has long not known it.
import { PAYMENT_LIFE, isPaymentFinal } from '../../domain/payment.js';
import { differences } from '../../domain/intent.js';
import { lower } from '../../domain/legible.js';
import { compact, emptyMemory, flag, foldedOf, remember, unexamined } from '../entity/state.js';
import { settle } from '../entity/settle.js';
import type { Fact, Instant } from '../../domain/fact.js';
import type { PaymentOrder } from '../../domain/mandate.js';
import type { PaymentFailure, PaymentState } from '../../domain/payment.js';
import type { PaymentLook } from '../../domain/snapshot.js';
import type { Memory } from '../entity/state.js';

/** When to ask for a payment whose submission had no answer, in seconds after it (design 5.3). */
export const RESOLVE_AT_SECONDS = [5, 15, 45, 120] as const;
/** A payment is absent when the provider did not know it this often, the last time this long after sending. */
export const ABSENT_AFTER = { answers: 3, seconds: 120 } as const;

export interface PaymentRecord extends Memory<PaymentState> {
  uid: string;
  connectionId?: string | undefined;
  order?: PaymentOrder | undefined;
  /**
   * `ready`: nothing is at the provider. `submitting`: it is on its way. `sent`: the provider may or may not
   * have it. `open`: it has it. `parked`: it has another one under our uid. `adopting`, `unknown`: as for agreements.
   */
  stage: 'ready' | 'submitting' | 'sent' | 'open' | 'parked' | 'adopting' | 'unknown';
  submissions: number;
  requestedAt: Instant;
  failure?: PaymentFailure | undefined;
  /** A refusal that may be the doing of an earlier submission of ours: believed once nothing is found. */
  doubtedRefusal?: PaymentFailure | undefined;
}

export type PaymentStep =
  | { do: 'submit' }
  | { do: 'resolve'; submission: number }
  | { do: 'adopt' }
  | { do: 'look_up'; doubts: number }
  | { do: 'await_settlement'; known: string }
  | { do: 'await_consent' }
  | { do: 'await_operator' }
  | { do: 'end' };

export function newPayment(
  given: { uid: string; connectionId?: string | undefined; order?: PaymentOrder | undefined },
  now: Instant,
): PaymentRecord {
  const { uid, connectionId, order } = given;
  const stage = order === undefined ? 'adopting' : 'ready';
  const memory = emptyMemory('requested', order === undefined ? 'look-up' : 'provider-acceptance', now);
  return { ...memory, uid, connectionId, order, stage, submissions: 0, requestedAt: now };
}

export const paymentStateOf = (record: PaymentRecord): PaymentState => foldedOf(PAYMENT_LIFE, record).state;

/** What should be going on now. The workflow makes it so; nothing else decides. */
export function nextPaymentStep(record: PaymentRecord): PaymentStep {
  const isSettled = unexamined(PAYMENT_LIFE, record).length === 0 && record.doubts === 0;
  // Whatever is told of a payment that is not the one we meant, a person judges it.
  if (record.stage === 'parked') return { do: 'await_operator' };
  if (record.stage === 'unknown') return { do: 'end' };
  // An event for a payment that nobody here knows, or that is over, is looked at before it is believed.
  if (record.stage === 'adopting') return { do: record.blocked === undefined ? 'adopt' : 'await_consent' };
  if (isPaymentFinal(paymentStateOf(record)) && isSettled) return { do: 'end' };
  if (record.blocked !== undefined) return { do: 'await_consent' };
  if (record.stage === 'ready' || record.stage === 'submitting') return { do: 'submit' };
  if (record.stage === 'sent') return { do: 'resolve', submission: record.submissions };
  if (!isSettled) return { do: 'look_up', doubts: record.doubts };
  return { do: 'await_settlement', known: record.shown ?? paymentStateOf(record) };
}

/** Noted before anything is sent, so that no crash can make us believe that nothing was. */
export const withSubmission = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  stage: 'submitting',
  submissions: record.submissions + 1,
});

/** The call was refused before anything was sent, for want of consent. */
export const withNothingSent = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  stage: 'ready',
  submissions: record.submissions - 1,
});

/** The provider has not known the uid for so long that it does not have it: sent again, unless it refused it meanwhile. */
export function withAbsence(record: PaymentRecord, now: Instant): PaymentRecord {
  const { doubtedRefusal } = record;
  if (doubtedRefusal !== undefined) return withPaymentRefusal(record, now, doubtedRefusal);
  return { ...record, stage: 'ready' };
}

export function withUnknownOutcome(record: PaymentRecord, now: Instant): PaymentRecord {
  if (record.facts.some(({ authenticated }) => authenticated)) return openedBy(record);
  return flag({ ...record, stage: 'sent' as const }, 'unknown_outcome', now, {
    detail: 'The submission had no clear answer, so the provider may or may not have the payment.',
    next: 'Nothing to do: the provider is asked for this very uid, and only what it does not know is sent again.',
  });
}

/** The provider has this payment. One that is not what we meant is left alone, for a person to judge. */
export function withPaymentLook(record: PaymentRecord, { payment, lookedAt }: PaymentLook): PaymentRecord {
  const { order } = record;
  const differing = order === undefined ? [] : differences(order, payment.order);
  if (differing.length > 0) return parked(record, lookedAt, differing);
  const known: PaymentRecord = {
    ...record,
    stage: 'open',
    order: order ?? wholeOrder(payment.order),
    failure: payment.failure ?? record.failure,
    doubtedRefusal: undefined,
    attention: lower(record.attention, 'unknown_outcome'),
  };
  return settle(PAYMENT_LIFE, known, { ...payment, lookedAt }, isExplained);
}

/** Payments have no history at the provider (facts 8.2): what the resource shows is all that it will ever say. */
const isExplained = (): boolean => true;

function parked(record: PaymentRecord, now: Instant, differing: string[]): PaymentRecord {
  const calm = { ...record, stage: 'parked' as const, attention: lower(record.attention, 'unknown_outcome') };
  return flag(calm, 'parked', now, {
    detail: `The provider has another payment under this uid; it differs in ${differing.join(', ')}.`,
    next: 'Compare the two at the provider. Nothing more is sent from here.',
  });
}

function wholeOrder(order: Partial<PaymentOrder>): PaymentOrder | undefined {
  const { agreement_uid, amount } = order;
  if (agreement_uid === undefined || amount === undefined) return undefined;
  const unsaid = { priority: '', reference: '', description: '', creditor_reference: '' };
  return { ...unsaid, ...order, agreement_uid, amount };
}

export const withPaymentFact = (record: PaymentRecord, fact: Fact): PaymentRecord => {
  const failure = fact.type === 'failed' && fact.authenticated ? failureIn(fact) : undefined;
  const known = failure === undefined ? record : { ...record, failure };
  const arrived = remember(known, fact);
  if (arrived.facts === record.facts) return record;
  // What tells of our uid's fate also tells that the provider has it.
  return fact.authenticated && record.stage === 'sent' ? openedBy(arrived) : arrived;
};

const openedBy = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  stage: 'open',
  attention: lower(record.attention, 'unknown_outcome'),
});

function failureIn({ detail }: Fact): PaymentFailure | undefined {
  const failure = detail?.['failure'];
  if (typeof failure !== 'object' || failure === null || Array.isArray(failure)) return undefined;
  const { code, title, retryable } = failure;
  return {
    code: typeof code === 'string' ? code : undefined,
    title: typeof title === 'string' ? title : undefined,
    retryable: typeof retryable === 'boolean' ? retryable : undefined,
  };
}

/**
 * The provider refused it. That is proof that it does not exist there only while no other submission is unaccounted for:
 * a limit, say, may have been used up by one whose answer was lost.
 */
export const withRefusedSubmission = (
  record: PaymentRecord,
  now: Instant,
  failure: PaymentFailure,
): PaymentRecord =>
  record.submissions === 1
    ? withPaymentRefusal(record, now, failure)
    : withUnknownOutcome({ ...record, doubtedRefusal: failure }, now);

const withPaymentRefusal = (record: PaymentRecord, now: Instant, failure: PaymentFailure): PaymentRecord =>
  remember({ ...record, stage: 'open', failure, attention: lower(record.attention, 'unknown_outcome') }, {
    id: `command/submit/${record.uid}`, type: 'refused', publishedAt: now, receivedAt: now,
    source: 'command', authenticated: true, causedBy: 'provider', reason: { code: failure.code, title: failure.title },
  }); // prettier-ignore

export const withPaymentOrphanage = (record: PaymentRecord, now: Instant): PaymentRecord =>
  flag({ ...record, stage: 'unknown' }, 'orphan', now, {
    detail: 'The provider told of this payment, but did not know it in a whole day of asking.',
    next: 'Ask the provider what the notification was about.',
  });

export const carriedPayment = (record: PaymentRecord): PaymentRecord => compact(PAYMENT_LIFE, record);
