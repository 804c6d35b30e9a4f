// What is refused before it is sent, and what never leaves us (facts 1, 7.1; interface 7, 9).
import { expect, test } from 'vitest';
import { aPaymentRequest, anAgreementRequest } from './examples.js';
import { agreementRequest, paymentRequest } from '../../payments-api/request.js';
import { thrownBy } from './loopback.js';

const V20260901 = '20260901';

test.each(['abn', 'acn', 'legal_name'])(
  'refuses initiator.%s on 20260901 and says what to use',
  async (field) => {
    const request = { ...anAgreementRequest(), initiator: { name: 'B Biller', [field]: '12345678901' } };
    const error = await thrownBy(() => agreementRequest(request, V20260901));
    expect(error).toMatchObject({ code: 'rejected', status: undefined });
    expect(String(error)).toMatch(new RegExp(`initiator\\.${field} .*20260901.*initiator\\.client_id`));
  },
);

test('refuses it on later versions too', async () => {
  const request = { ...anAgreementRequest(), initiator: { name: 'B', abn: '12345678901' } };
  expect(await thrownBy(() => agreementRequest(request, '20270101'))).toMatchObject({ code: 'rejected' });
});

test('lets an abn through on 20260101, whose field it is', () => {
  const request = { ...anAgreementRequest(), initiator: { name: 'B Biller', abn: '12345678901' } };
  expect(agreementRequest(request, '20260101').initiator).toEqual({ name: 'B Biller', abn: '12345678901' });
});

test('names the creditor’s party as its ultimate party when the caller names none', () => {
  const { creditor } = agreementRequest(
    { ...anAgreementRequest(), creditor: { party_name: 'B' } },
    V20260901,
  );
  expect(creditor).toEqual({ party_name: 'B', ultimate_party_name: 'B' });
});

test('keeps the ultimate party that the caller names', () => {
  const named = { party_name: 'B', ultimate_party_name: 'U' };
  const { creditor } = agreementRequest({ ...anAgreementRequest(), creditor: named }, V20260901);
  expect(creditor).toEqual(named);
});

test.each([undefined, null])('invents no creditor where it is %j', (creditor) => {
  expect(agreementRequest({ ...anAgreementRequest(), creditor }, V20260901).creditor).toBe(creditor);
});

test('leaves undefined fields out of the JSON', () => {
  const body = agreementRequest({ ...anAgreementRequest(), metadata: undefined }, V20260901);
  expect(JSON.stringify(body)).not.toContain('metadata');
});

test('leaves out fields that are ours and not the provider’s', () => {
  const request = { ...anAgreementRequest(), connection: 'acme' };
  expect(agreementRequest(request, V20260901)).not.toHaveProperty('connection');
});

test('refuses an unknown field further down, naming it but not its value', async () => {
  const request = {
    ...anAgreementRequest(),
    payment_terms: { ...anAgreementRequest().payment_terms, max_amont: 77777 },
  };
  const error = await thrownBy(() => agreementRequest(request, V20260901));
  expect(String(error)).toContain('payment_terms.max_amont');
  expect(String(error)).not.toContain('77777');
});

test.each([0, -1, 1.5, Number.NaN, 1_000_000_001])('refuses to send an amount of %d', async (amount) => {
  const error = await thrownBy(() => paymentRequest({ ...aPaymentRequest(), amount }));
  expect(error).toMatchObject({ code: 'rejected', message: expect.stringContaining('amount') as string });
});

test.each(['..', 'a/b', ''])('refuses to create under the uid %j', async (uid) => {
  expect(await thrownBy(() => paymentRequest({ ...aPaymentRequest(), uid }))).toMatchObject({
    code: 'rejected',
  });
});
