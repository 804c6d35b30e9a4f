import { all } from '../../support/payments-api/loopback.js';
import { afterEach, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  CALL,
  aPaymentRequest,
  anAgreementRequest,
  aClientRequest,
} from '../../support/payments-api/examples.js';
import { fakeProvider, type FakeAnswer } from '../../support/payments-api/fake-provider.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const ID = '0195aaaa-0000-7000-8000-00000000000a';
const WHY = { reason: 'x' };
const BBAN = { type: 'bban', value: '200001-12340001' };
const REFUND = { type: 'pay_to_payment', agreement_uid: 'a', amount: 1, description: 'R' } as const;
const REQUESTER = { id: 'u', remote_ip: '203.0.113.9' };

const ACCEPTANCE = {
  amount_returned: { currency: 'AUD', value: 1 },
  return_transaction_identification: 'r',
} as const;

const RUNS: Readonly<Record<keyof PaymentsApi, (api: PaymentsApi) => Promise<unknown>>> = {
  createAgreement: (api) => api.createAgreement(anAgreementRequest(), CALL),
  getAgreement: (api) => api.getAgreement('a', CALL),
  listAgreements: (api) => all(api.listAgreements({}, CALL)),
  listAgreementPage: (api) => api.listAgreementPage({}, CALL),
  listPaymentPage: (api) => api.listPaymentPage({}, CALL),
  getAgreementHistory: (api) => api.getAgreementHistory('a', CALL),
  addIdentification: (api) => api.addIdentification('a', { initiator: { client_id: 'c' } }, CALL),
  cancelAgreement: (api) => api.cancelAgreement('a', WHY, CALL),
  suspendAgreement: (api) => api.suspendAgreement('a', WHY, CALL),
  reactivateAgreement: (api) => api.reactivateAgreement('a', CALL),
  proposeAmendment: (api) => api.proposeAmendment('a', { changes: { description: 'x' } }, CALL),
  getAmendment: (api) => api.getAmendment('a', CALL),
  recallAmendment: (api) => api.recallAmendment('a', CALL),
  createPayment: (api) => api.createPayment(aPaymentRequest(), CALL),
  getPayment: (api) => api.getPayment('p', CALL),
  listPayments: (api) => all(api.listPayments({}, CALL)),
  retryPayment: (api) => api.retryPayment('p', {}, CALL),
  createRefund: (api) =>
    api.createRefund({ uid: 'r', original_payment_uid: 'p', refund_payment: REFUND }, CALL),
  getRefund: (api) => api.getRefund('r', CALL),
  listRefunds: (api) => all(api.listRefunds({}, CALL)),
  listRefundPage: (api) => api.listRefundPage({}, CALL),
  createClient: (api) => api.createClient(aClientRequest(), CALL),
  getClient: (api) => api.getClient('c', CALL),
  listClients: (api) => all(api.listClients({}, CALL)),
  updateClient: (api) => api.updateClient('c', { legal_name: 'New' }, CALL),
  createCounterparty: (api) =>
    api.createCounterparty({ payment_accounts: [{ account_identifier: BBAN }] }, CALL),
  resolveAlias: (api) => api.resolveAlias({ type: 'alias_email', value: 'a@b', requester: REQUESTER }, CALL),
  validateAccount: (api) =>
    api.validateAccount(
      { uid: 'c', account_identifier: BBAN, party_name: 'A', requester: { id: 'u' } },
      CALL,
    ),
  ping: (api) => api.ping(CALL),
  getUser: (api) => api.getUser(CALL),
  getFloatAccount: (api) => api.getFloatAccount(ID, CALL),
  listBankAccounts: (api) => all(api.listBankAccounts(CALL)),
  listFloatAccountEntries: (api) => all(api.listFloatAccountEntries(ID, {}, CALL)),
  getFloatAccountEntry: (api) => api.getFloatAccountEntry(ID, ID, CALL),
  requestSettlementReport: (api) => api.requestSettlementReport('2026-09-01', CALL),
  downloadSettlementReport: (api) =>
    api.downloadSettlementReport('https://reports.example/a').then(() => undefined),
  listDisputes: (api) => all(api.listDisputes(CALL)),
  getDispute: (api) => api.getDispute(ID, CALL),
  acceptActionRequest: (api) => api.acceptActionRequest(ID, ACCEPTANCE, CALL),
  rejectActionRequest: (api) =>
    api.rejectActionRequest(ID, { reason: { code: 'NAUT', description: 'x' } }, CALL),
  uploadEvidence: (api) => api.uploadEvidence(ID, Buffer.from('%PDF-1.7'), 'a.pdf', CALL),
  listWebhooks: (api) => all(api.listWebhooks(CALL)),
  listWebhookDeliveries: (api) => all(api.listWebhookDeliveries('w', {}, CALL)),
  getWebhookDelivery: (api) => api.getWebhookDelivery('d', CALL),
  redeliverWebhook: (api) => api.redeliverWebhook('d', CALL),
};

const KEYS = [
  ...[
    'id',
    'uid',
    'state',
    'type',
    'body',
    'caused_by',
    'reason',
    'failure',
    'metadata',
    'resource_metadata',
  ],
  ...['created_at', 'published_at', 'debtor', 'creditor', 'initiator', 'payment_terms', 'state_reason'],
  ...['changes', 'refund_payment', 'services', 'payment_accounts', 'outcome', 'insights', 'payid_configs'],
  ...['events', 'signature_secret', 'payload', 'payload_data_summary', 'response_status_code', 'identity'],
  ...['data', 'links', 'next', 'errors', 'meta', 'code', 'title', 'detail', 'retryable', 'amount'],
  ...['__proto__', 'constructor', 'prototype', 'toJSON', 'toString', 'then', 'valueOf', 'hasOwnProperty'],
];

const deep = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"data":', '}']), fc.constantFrom(1, 17, 5000))
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
const written: fc.Arbitrary<string> = fc.letrec<{ any: string; object: string; list: string }>((tie) => ({
  object: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie('any')), { maxLength: 6 })
    .map((pairs) => `{${pairs.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
  list: fc.array(tie('any'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  any: fc.oneof({ maxDepth: 4 }, fc.json({ maxDepth: 2 }), tie('object'), tie('object'), tie('list'), deep),
})).any;

const bodies = fc.oneof(
  written,
  written.map((data) => `{"data":${data},"links":{}}`),
  fc.array(written, { maxLength: 3 }).map((items) => `{"data":[${items.join(',')}]}`),
  written.map((errors) => `{"errors":${errors},"data":${errors}}`),
  fc.string(),
);
const answers: fc.Arbitrary<FakeAnswer> = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 202, 400, 404, 422, 503),
  body: bodies,
});

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty('a');
});

test.each(Object.entries(RUNS))('property: %s handles every answer', async (_name, run) => {
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const { api } = fakeProvider(answer);
      const outcome = await run(api).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(PaymentsApiError);
        return;
      }
      for (const result of [outcome].flat()) expectPlain(result);
    }),
    { numRuns: 40 },
  );
});

function expectPlain(result: unknown): void {
  if (typeof result !== 'object' || result === null) {
    expect(result).toBeUndefined();
    return;
  }
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(Object.keys(result)).not.toContain('__proto__');
  expect(JSON.stringify(result).length).toBeLessThan(1_000_000);
}

const NESTED = 100_000;

// prettier-ignore
const READERS = [
  'getAgreement', 'listAgreements', 'getAgreementHistory', 'addIdentification', 'getPayment', 'getAmendment', 'listClients',
  'cancelAgreement',
] as const;

test.each(READERS)('%s handles an answer nested 100,000 levels deep', async (name) => {
  const deepest = `${'['.repeat(NESTED)}${']'.repeat(NESTED)}`;
  const entry = `{"uid":"a","body":${deepest},"metadata":${deepest},"x":${deepest}}`;
  for (const body of [deepest, `{"data":${deepest}}`, `{"data":${entry}}`, `{"data":[${entry}]}`]) {
    const outcome = await RUNS[name](fakeProvider({ status: 200, body }).api).catch(
      (error: unknown) => error,
    );
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PaymentsApiError);
    else expect(() => JSON.stringify(outcome)).not.toThrow();
  }
});
