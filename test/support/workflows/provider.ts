// Activities for workflow tests: a provider in a few lines, whose answers a test scripts. What it is asked is counted.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Activities } from '../../../activities/index.js';
import type { Fact } from '../../../domain/fact.js';
import type { Mandate, PaymentOrder } from '../../../domain/mandate.js';
import type { ClientOrder, ClientParticulars } from '../../../domain/client.schema.js';
import type { AccountOrder, CounterpartyOrder } from '../../../domain/counterparty.schema.js';
import type { RefundOrder } from '../../../domain/refund.schema.js';
import type {
  AgreementSnapshot,
  ClientSnapshot,
  Fetched,
  PaymentSnapshot,
  RefundSnapshot,
} from '../../../domain/snapshot.js';

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

export const aClientOrder = (over: Partial<ClientOrder> = {}): ClientOrder => ({
  legal_name: 'Corner Gym Pty Ltd',
  australian_business_number: '53004085616',
  merchant_category_code: '7997',
  services: ['payto'],
  ...over,
});

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

/** A request that found nothing new, as the real watches fail. */
export const nothingNew = (nextRetryDelay: number | `${number}h`): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'nothing_new',
    nextRetryDelay,
    category: ApplicationFailureCategory.BENIGN,
  });

/** A failure as activities/failure.ts makes it; a 403 is for want of a scope. */
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

/** A 403 without a word of why. */
export const denial = (): ApplicationFailure =>
  ApplicationFailure.create({ type: 'forbidden', nonRetryable: true, details: [{ providerCodes: [] }] });

/** A provider with whom each agreement is active as soon as it is created. */
export const ACTIVE_AT_ONCE: Pick<Activities, 'createAgreement'> = {
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
};

/** Activities that all fail, but for those given: a test says what may be called. */
export function only(given: Partial<Activities>): Activities {
  const unexpected = (name: string) => () => Promise.reject(failure(`unexpected call of ${name}`));
  return {
    sendCommand: unexpected('sendCommand'),
    adoptAgreement: unexpected('adoptAgreement'),
    adoptPayment: unexpected('adoptPayment'),
    adoptRefund: unexpected('adoptRefund'),
    auditDeliveries: unexpected('auditDeliveries'),
    awaitLifting: unexpected('awaitLifting'),
    beginRows: unexpected('beginRows'),
    changeClient: unexpected('changeClient'),
    createAgreement: unexpected('createAgreement'),
    createClient: unexpected('createClient'),
    createCounterparty: unexpected('createCounterparty'),
    ensureSweep: () => Promise.resolve('unchanged' as const),
    exchangeCode: unexpected('exchangeCode'),
    findAgreement: unexpected('findAgreement'),
    findClient: unexpected('findClient'),
    findPayment: unexpected('findPayment'),
    findRefund: unexpected('findRefund'),
    onboard: unexpected('onboard'),
    lookUpAgreement: unexpected('lookUpAgreement'),
    lookUpClient: unexpected('lookUpClient'),
    lookUpPayment: unexpected('lookUpPayment'),
    lookUpRefund: unexpected('lookUpRefund'),
    readAgreementHistory: unexpected('readAgreementHistory'),
    refreshTokens: unexpected('refreshTokens'),
    submitPayment: unexpected('submitPayment'),
    submitRefund: unexpected('submitRefund'),
    sweepAgreements: unexpected('sweepAgreements'),
    sweepPayments: unexpected('sweepPayments'),
    retryPayment: unexpected('retryPayment'),
    verifyAccount: unexpected('verifyAccount'),
    resumeBlocked: () => Promise.resolve(0),
    watchAgreement: () => Promise.reject(nothingNew('50h')),
    watchClient: () => Promise.reject(nothingNew('50h')),
    watchPayment: () => Promise.reject(nothingNew('50h')),
    watchRefund: () => Promise.reject(nothingNew('50h')),
    watchRows: () => Promise.reject(nothingNew('50h')),
    reportRefund: unexpected('reportRefund'),
    ...given,
  };
}

/** The code with which an update was refused, by a server or by its validator itself. */
export function refusalIn(error: unknown): string | null | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause.type : undefined;
}
