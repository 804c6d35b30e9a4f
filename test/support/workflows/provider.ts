import { createHash } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import {
  ActivityFailure,
  ApplicationFailure,
  ApplicationFailureCategory,
  RetryState,
} from '@temporalio/common';
import { CALL_OPTIONS } from '../../../workflows/on-temporal/call-options.js';
import { callFailureOf } from '../../../workflows/engine/call-failure.js';
import { overJson } from '../virtual-runs.js';
import { msOf, type Answers, type Attempt, type Call } from '../virtual-runtime.js';
import { NO_RECORDS } from '../nothing-recorded.js';
import type { Activities } from '../../../activities/index.js';
import type { Fact, Instant } from '../../../domain/facts/fact.js';
import type { Mandate, PaymentOrder } from '../../../domain/agreement/mandate.js';
import type { ClientOrder, ClientParticulars } from '../../../domain/client/request.schema.js';
import type { AccountOrder, CounterpartyOrder } from '../../../domain/counterparty/request.schema.js';
import type { RefundOrder } from '../../../domain/refund/request.schema.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../../domain/agreement/lifecycle.js';
import type { ClientSnapshot } from '../../../domain/client/lifecycle.js';
import type { PaymentSnapshot } from '../../../domain/payment/lifecycle.js';
import type { RefundSnapshot } from '../../../domain/refund/lifecycle.js';

export const A_MANDATE: Mandate = {
  purpose: 'utility',
  description: 'Plan 77',
  debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
  creditor: {
    party_name: 'B Biller',
    ultimate_party_name: 'B Biller',
    account_identifier: { type: 'bban', value: '200002-55550001' },
  },
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
};

export const anOrder = (agreementUid: string, over: Partial<PaymentOrder> = {}): PaymentOrder => ({
  agreement_uid: agreementUid,
  amount: 4200,
  priority: 'unattended',
  reference: 'INV 5',
  description: 'October',
  creditor_reference: 'C-5',
  ...over,
});

export const aRefundOrder = (paymentUid: string, amount = 100): RefundOrder => ({
  original_payment_uid: paymentUid,
  refund_payment: {
    type: 'float_bank_payment',
    float_bank_account_id: '0195e5a4-0000-7000-8000-000000000001',
    amount,
    description: 'REFUND part',
  },
});

export const fetchedAgreement = (
  uid: string,
  state: string,
  history: Fact[] = [],
): Fetched<AgreementSnapshot> => ({
  fetchedAt: new Date().toISOString(),
  snapshot: { uid, state, mandate: A_MANDATE },
  history,
});

export const fetchedPayment = (
  uid: string,
  state: string,
  order: Partial<PaymentOrder> = {},
): Fetched<PaymentSnapshot> => ({
  fetchedAt: new Date().toISOString(),
  snapshot: { uid, state, order },
  history: [],
});

export const fetchedRefund = (
  uid: string,
  state: string,
  order: RefundSnapshot['order'] = {},
): Fetched<RefundSnapshot> => ({
  fetchedAt: new Date().toISOString(),
  snapshot: { uid, state, order },
  history: [],
});

export const A_BUSINESS = {
  type: 'business' as const,
  legal_name: 'Corner Gym Pty Ltd',
  business_names: ['Corner Gym'],
  registered_address: '1 Gym Street, Sydney NSW 2000',
  website_url: 'https://gym.example',
  business_registration_date: '2019-07-01',
  australian_business_number: '53004085616',
  merchant_category_code: '7997',
  services: ['payto' as const],
};

export function anAbn(seed: string): string {
  const digits = Number.parseInt(createHash('sha256').update(seed).digest('hex').slice(0, 8), 16);
  const rest = String(digits % 1e9).padStart(9, '0');
  const sum = [...rest].reduce((total, digit, index) => total + Number(digit) * (3 + 2 * index), 0);
  return `${((89 - (sum % 89)) % 89) + 10}${rest}`;
}

export const aClientOrder = (over: Partial<ClientOrder> = {}): ClientOrder => ({ ...A_BUSINESS, ...over });

export const anAccountOrder = (uid = 'acc-1', over: Partial<AccountOrder> = {}): AccountOrder => ({
  uid,
  account_identifier: { type: 'bban', value: '200001-12340001' },
  party_name: 'Ada Payer',
  verification: { method: 'account_validation' },
  ...over,
});

export const aCounterpartyOrder = (...accounts: AccountOrder[]): CounterpartyOrder => ({
  payment_accounts: accounts.length === 0 ? [anAccountOrder()] : accounts,
});

export const fetchedClient = (
  uid: string,
  state: string,
  over: Partial<ClientSnapshot> = {},
  particulars: ClientParticulars = {},
): Fetched<ClientSnapshot> => {
  const { services: _, ...order } = aClientOrder();
  return {
    fetchedAt: new Date().toISOString(),
    snapshot: { uid, clientId: 'cl-1', state, particulars: { ...order, ...particulars }, ...over },
    history: [],
  };
};

export const nothingNew = (nextRetryDelay: number | `${number}h`): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'nothing_new',
    nextRetryDelay,
    category: ApplicationFailureCategory.BENIGN,
  });

export const failure = (
  type: string,
  providerCodes: string[] = [],
  means?: string,
  advice?: string,
): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    nonRetryable: true,
    details: [{ providerCodes, means, advice, lacksScope: type === 'forbidden' }],
  });

export const denial = (): ApplicationFailure =>
  ApplicationFailure.create({ type: 'forbidden', nonRetryable: true, details: [{ providerCodes: [] }] });

export const ACTIVE_AT_ONCE: Pick<Activities, 'createAgreement'> = {
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
};

export function only(given: Partial<Activities>): Activities {
  const unexpected = NAMES.map((name) => [name, () => Promise.reject(failure(`unexpected call of ${name}`))]);
  const nothing = () => Promise.reject(nothingNew('50h'));
  return {
    ...(Object.fromEntries(unexpected) as Activities),
    ...NO_RECORDS,
    ensureSweep: () => Promise.resolve('unchanged' as const),
    resumeBlocked: () => Promise.resolve(0),
    reportPayment: () => Promise.resolve(),
    watchAgreement: nothing,
    watchClient: nothing,
    watchPayment: nothing,
    watchRefund: nothing,
    watchRows: nothing,
    ...given,
  };
}

const NAMES = Object.keys(CALL_OPTIONS) as (keyof Activities)[];

const RECORDING: ReadonlySet<keyof Activities> = new Set(['record']);

export function answersOf(activities: Activities, now: () => Instant, calls: string[]): Answers {
  const answer =
    (name: keyof Activities) =>
    (args: unknown): Call<unknown> =>
    (done) => {
      calls.push(name);
      const fetchedAt = now();
      const activity = activities[name] as (args: unknown) => Promise<unknown>;
      activity(overJson(args)).then(
        (got) => {
          done({ ok: overJson(fetchedThen(got, fetchedAt)) });
        },
        (error: unknown) => {
          done(attemptOf(name, error));
        },
      );
    };
  return Object.fromEntries(NAMES.filter((name) => !RECORDING.has(name)).map((name) => [name, answer(name)]));
}

const fetchedThen = <R>(answer: R, fetchedAt: Instant): R =>
  typeof answer === 'object' && answer !== null && 'fetchedAt' in answer ? { ...answer, fetchedAt } : answer;

function attemptOf(name: keyof Activities, error: unknown): Attempt<never> {
  const cause = error instanceof Error ? error : new Error(String(error));
  const isFinal = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  const evidence = callFailureOf(
    new ActivityFailure('', name, '1', RetryState.NON_RETRYABLE_FAILURE, '', cause),
  );
  if (isFinal || CALL_OPTIONS[name].options.retry?.maximumAttempts === 1) return { stop: evidence };
  if (!(cause instanceof ApplicationFailure)) return { again: 'Error' };
  const { type, nextRetryDelay } = cause;
  const pauseMs = typeof nextRetryDelay === 'number' ? nextRetryDelay : msOf(nextRetryDelay ?? '');
  return { again: type ?? 'Error', evidence, ...(!Number.isNaN(pauseMs) && { afterMs: () => pauseMs }) };
}

export function refusalIn(error: unknown): string | null | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause.type : undefined;
}
