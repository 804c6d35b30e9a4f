// What is done with agreements and payments that exist, and refunds: each request to the letter (docs/provider.md#operations, #agreements-creation, #payments-creation, #refunds).
import { expect, test } from 'vitest';
import {
  CALL,
  aPaymentRequest,
  anAgreementAnswer,
  anAgreementRequest,
} from '../../support/payments-api/examples.js';
import { TAKEN, created, found, testOnEveryVersion } from '../../support/payments-api/operation-rows.js';
import { fakeProvider } from '../../support/payments-api/fake-provider.js';

const ID = '0195aaaa-0000-7000-8000-00000000000a';
const A = '/payto/agreements/agr-2f9c';
const WHY = { reason: 'initiating_party_requested', narrative: 'Moved out' };
const CREDITOR = {
  party_name: 'B Biller',
  account_identifier: { type: 'bban', value: '200002-55550001' },
};
const REFUND = {
  uid: 'ref-1',
  original_payment_uid: 'pay-0001',
  refund_payment: {
    type: 'float_bank_payment',
    float_bank_account_id: ID,
    amount: 100,
    description: 'REFUND part',
  },
} as const;
const REFUND_UNDER_AGREEMENT = {
  uid: 'ref-2',
  original_payment_uid: 'pay-0001',
  refund_payment: { type: 'pay_to_payment', agreement_uid: 'agr-9', amount: 100, description: 'REFUND all' },
} as const;
const AMENDMENT = {
  changes: {
    description: 'New text',
    validity_end_date: '2028-01-31',
    payment_terms: { type: 'variable', amount: null, max_amount: 40000 },
  },
  resolution_requested_before: '2026-11-01T00:00:00Z',
};
/** Without an initiator, whose fields differ from version to version (version-rules.test.ts). */
const AGREEMENT = { ...anAgreementRequest(), initiator: undefined };
const PAYMENT = aPaymentRequest();

testOnEveryVersion([
  [
    'createAgreement',
    (api) => api.createAgreement(AGREEMENT, CALL),
    'POST /payto/agreements',
    { ...AGREEMENT, creditor: { ...AGREEMENT.creditor, ultimate_party_name: 'B Biller' } },
    created({ uid: 'agr-2f9c' }),
    { uid: 'agr-2f9c', state: 'pending', mandate: {} },
  ],
  [
    'getAgreement',
    (api) => api.getAgreement('agr-2f9c', CALL),
    `GET ${A}`,
    undefined,
    found({ uid: 'agr-2f9c', state: 'active' }),
    { uid: 'agr-2f9c', state: 'active', mandate: {} },
  ],
  [
    'createPayment',
    (api) => api.createPayment(PAYMENT, CALL),
    'POST /payto/payments',
    PAYMENT,
    created({ uid: 'pay-0001' }),
    { uid: 'pay-0001', state: 'created', order: {} },
  ],
  [
    'getPayment',
    (api) => api.getPayment('pay-0001', CALL),
    'GET /payto/payments/pay-0001',
    undefined,
    found({ uid: 'pay-0001', state: 'brand_new' }),
    { uid: 'pay-0001', state: 'brand_new', order: {} },
  ],
  [
    'cancelAgreement',
    (api) => api.cancelAgreement('agr-2f9c', WHY, CALL),
    `POST ${A}/cancellation`,
    WHY,
    TAKEN,
    undefined,
  ],
  [
    'suspendAgreement',
    (api) => api.suspendAgreement('agr-2f9c', { reason: 'brand_new_reason' }, CALL),
    `POST ${A}/suspension`,
    { reason: 'brand_new_reason' },
    TAKEN,
    undefined,
  ],
  [
    'reactivateAgreement',
    (api) => api.reactivateAgreement('agr-2f9c', CALL),
    `POST ${A}/reactivation`,
    {},
    TAKEN,
    undefined,
  ],
  [
    'proposeAmendment',
    (api) => api.proposeAmendment('agr-2f9c', AMENDMENT, CALL),
    `POST ${A}/amendment`,
    AMENDMENT,
    TAKEN,
    undefined,
  ],
  [
    'recallAmendment',
    (api) => api.recallAmendment('agr-2f9c', CALL),
    `POST ${A}/amendment/recall`,
    {},
    TAKEN,
    undefined,
  ],
  [
    'getAmendment',
    (api) => api.getAmendment('agr-2f9c', CALL),
    `GET ${A}/amendment`,
    undefined,
    found({
      state: 'created',
      actor: 'initiator',
      created_at: '2026-10-05T09:30:00.250+11:00',
      failure: null,
    }),
    { state: 'created', actor: 'initiator', created_at: '2026-10-04T22:30:00.250Z', failure: null },
  ],
  [
    'retryPayment',
    (api) => api.retryPayment('pay-0001', {}, CALL),
    'POST /payto/payments/pay-0001/retry',
    {},
    TAKEN,
    undefined,
  ],
  [
    'retryPayment to another creditor',
    (api) => api.retryPayment('pay-0001', { creditor: CREDITOR }, CALL),
    'POST /payto/payments/pay-0001/retry',
    { creditor: CREDITOR },
    TAKEN,
    undefined,
  ],
  [
    'createRefund',
    (api) => api.createRefund(REFUND, CALL),
    'POST /payto/refunds',
    REFUND,
    created({ ...REFUND, state: 'created', created_at: '2026-10-01T00:00:00Z' }),
    { ...REFUND, state: 'created', created_at: '2026-10-01T00:00:00.000Z' },
  ],
  [
    'createRefund under an agreement',
    (api) => api.createRefund(REFUND_UNDER_AGREEMENT, CALL),
    'POST /payto/refunds',
    REFUND_UNDER_AGREEMENT,
    created({ uid: 'ref-2', state: 'new_state' }),
    { uid: 'ref-2', state: 'new_state' },
  ],
  [
    'getRefund',
    (api) => api.getRefund('ref-1', CALL),
    'GET /payto/refunds/ref-1',
    undefined,
    found({ uid: 'ref-1' }),
    { uid: 'ref-1' },
  ],
]);

const IDENTIFICATION = { initiator: { client_id: '0195' }, debtor: { payment_account_uid: 'acc-1' } };

test.each([
  { status: 200, body: { data: anAgreementAnswer() } },
  { status: 201, body: { data: { id: 'agr-2f9c', state: 'active' } } },
])('adds an identification, and gives the agreement in the answer: $status', async (answer) => {
  const { api, asked } = fakeProvider(answer);
  const agreement = await api.addIdentification('agr-2f9c', IDENTIFICATION, CALL);
  expect(asked[0]).toMatchObject({ method: 'POST', path: `${A}/add_identification`, body: IDENTIFICATION });
  expect(agreement).toMatchObject({ uid: 'agr-2f9c', state: 'active' });
});

test.each([
  { status: 202 },
  { status: 204 },
  { status: 200, body: {} },
  { status: 200, body: { data: null } },
])('takes %j for an identification that was accepted', async (answer) => {
  const { api } = fakeProvider(answer);
  expect(await api.addIdentification('agr-2f9c', IDENTIFICATION, CALL)).toBeUndefined();
});
