// What the provider refuses of a new agreement: a row for each rule.
import { expect, test } from 'vitest';
import { verdict } from '../../support/sandbox/agreements.js';
import { anAgreement, dayFromNow } from '../../support/sandbox/requests.js';
import { aSharedWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

test.each([
  [{ surprise: 1 }, 'surprise'],
  [{ payment_terms: { type: 'variable', frequency: 'adhoc', ceiling: 1 } }, 'payment_terms.ceiling'],
  [{ initiator: { name: 'B Biller', legal_name: 'B' } }, 'initiator.legal_name'],
  [{ sandbox: { simulate: 'expire', speed: 2 } }, 'sandbox.speed'],
])('%o is 400 and the detail names the field', async (overrides, field) => {
  const { caller } = theWorld();
  const answer = await caller.post('/payto/agreements', anAgreement(overrides));
  expect(answer).toMatchObject({ status: 400, errors: [{ title: 'Validation Failed' }] });
  expect(answer.errors[0]?.detail).toContain(field);
});

const account = (value: string, type = 'bban') => ({ account_identifier: { type, value } });
const debtor = (value: string, type = 'bban') => ({
  debtor: { party_name: 'A Payer', ...account(value, type) },
});
const creditor = (value: string) => ({
  creditor: { party_name: 'B', ultimate_party_name: 'B', ...account(value) },
});
const terms = (fields: object) => ({
  payment_terms: { type: 'variable', frequency: 'monthly', ...fields },
});

test.each([
  { uid: 'not a uid' },
  { uid: 'x'.repeat(65) },
  { description: 'café' },
  { description: 'salt &amp; pepper' },
  { description: '' },
  { purpose: 'holiday' },
  terms({ type: 'fixed' }),
  terms({ type: 'balloon', first_payment_amount: 5 }),
  terms({ type: 'fixed', amount: 5, last_payment_amount: 5 }),
  terms({ amount: 5 }),
  terms({ type: 'usage_based', first_payment_amount: 5 }),
  terms({ max_amount: 0 }),
  terms({ max_amount: 1_000_000_001 }),
  terms({ max_amount: 1.5 }),
  terms({ frequency: 'hourly' }),
  terms({ count: 0 }),
  { validity_start_date: '2027-02-30' },
  { resolution_requested_before: '2099-01-01T00:00:00+10:00' },
  { metadata: { nested: { no: true } } },
  { metadata: { long: 'x'.repeat(2048) } },
  { sandbox: { delay: 86_401 } },
  { sandbox: { simulate: 'ignore' } },
  { sandbox: { simulate: 'no_answer' } },
  { creditor: { party_name: 'B', ...account('200002-5') } },
  { debtor: { party_name: 'A Payer' } },
  debtor('20001-1234'),
  debtor('200001-1234567890'),
  debtor('Payer@Example.com', 'alias_email'),
  debtor('1234567890', 'alias_abn'),
  debtor('4111', 'card'),
])('%o is 422 ZPUNP00', async (overrides) => {
  const { caller } = theWorld();
  expect(verdict(await caller.post('/payto/agreements', anAgreement(overrides)))).toBe('ZPUNP00');
});

test.each([
  [{ cancel_if_unresolved: true }, 'ZPAGR17'],
  [{ resolution_requested_before: inDays(-0.1) }, 'ZPAGR03'],
  [{ resolution_requested_before: inDays(5.1) }, 'ZPAGR02'],
  [{ validity_start_date: dayFromNow(-3) }, 'ZPAGR04'],
  [{ validity_start_date: dayFromNow(9), validity_end_date: dayFromNow(5) }, 'ZPAGR06'],
  [{ validity_start_date: dayFromNow(9), ...terms({ first_payment_date: dayFromNow(5) }) }, 'ZPAGR07'],
  [{ validity_end_date: dayFromNow(-3) }, 'ZPAGR08'],
  [{ validity_end_date: dayFromNow(5), ...terms({ first_payment_date: dayFromNow(9) }) }, 'ZPAGR08'],
  [{ validity_end_date: dayFromNow(5), ...terms({ last_payment_date: dayFromNow(9) }) }, 'ZPAGR08'],
  [terms({ first_payment_date: dayFromNow(-3) }), 'ZPAGR09'],
  [terms({ last_payment_date: dayFromNow(-3) }), 'ZPAGR10'],
  [terms({ first_payment_date: dayFromNow(9), last_payment_date: dayFromNow(5) }), 'ZPAGR11'],
  [debtor('200001-0000'), 'ZPAGR12'],
  [debtor('200001-999999999'), 'ZPAGR13'],
  [debtor('100000-1234'), 'ZPAGR14'],
  [debtor('100001-1234'), 'ZPUNP01'],
  [creditor('100002-1234'), 'ZPUNP02'],
  [creditor('200002-0000'), 'ZPUNP03'],
  [creditor('200002-9999'), 'ZPUNP04'],
  [creditor('100000-1234'), 'ZPUNP05'],
])('%o is 422 %s, about the agreement', async (overrides, code) => {
  const { caller } = theWorld();
  const request = anAgreement(overrides);
  const answer = await caller.post('/payto/agreements', request);
  expect(answer).toMatchObject({ status: 422, errors: [{ code, meta: { resource_uid: request.uid } }] });
  expect((await caller.get(`/payto/agreements/${request.uid}`)).status).toBe(404);
});

test.each([
  creditor('100001-1234'), // that a debtor could not pay from it is no matter here
  debtor('100002-1234'), // nor that a creditor could not be paid into it
  debtor('200001-90'),
  { resolution_requested_before: inDays(4.9) },
])('%o is good', async (overrides) => {
  const { caller } = theWorld();
  expect((await caller.post('/payto/agreements', anAgreement(overrides))).status).toBe(201);
});
