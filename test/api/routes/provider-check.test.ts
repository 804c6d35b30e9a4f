import { describe, expect, test } from 'vitest';
import { anApi, post, sentOf } from '../../support/api/app.js';
import {
  aMandate,
  aPayment,
  aPaymentView,
  anAgreement,
  anAgreementView,
  problemIn,
} from '../../support/api/builders.js';
import type { Api } from '../../support/api/app.js';

const AGREEMENT = '/v1/agreements';
const PAYMENT = '/v1/agreements/agr-1/payments';
const AMENDMENT = '/v1/agreements/agr-1/amendment';
const SUSPENSION = '/v1/agreements/agr-1/suspension';
const { debtor, creditor } = aMandate();
const { account_identifier } = debtor;
const LEGACY = '20260101';
const NEW = '20260901';

function nothingKnown(api: Api): Api {
  api.door.agreements.view.mockResolvedValue(undefined);
  api.door.payments.view.mockResolvedValue(undefined);
  return api;
}
const send = (api: Api, path: string, over: object): Promise<Response> => {
  const bodies: Readonly<Record<string, object>> = { [AGREEMENT]: anAgreement(), [PAYMENT]: aPayment() };
  return post(api, path, { ...bodies[path], ...over }, { 'idempotency-key': 'order-77' });
};

describe('422 with field and version, before anything is accepted', () => {
  test.each<[path: string, over: object, pointer: string, version?: string]>([
    [AGREEMENT, { description: 'Fish &amp; Chips' }, '/description'],
    [AGREEMENT, { metadata: { note: 'é'.repeat(1100) } }, '/metadata'],
    [AGREEMENT, { initiator: { client_id: '0195' } }, '/initiator/client_id', LEGACY],
    [AGREEMENT, { initiator: { client_id: 'no word' } }, '/initiator/client_id'],
    [AGREEMENT, { debtor: { account_identifier } }, '/debtor/party_name'],
    [AGREEMENT, { creditor: { account_identifier } }, '/creditor/party_name'],
    [AGREEMENT, { creditor: { party_name: 'B' } }, '/creditor/account_identifier'],
    [
      AGREEMENT,
      { debtor: { ...debtor, payment_account_uid: 'acc-1' } },
      '/debtor/payment_account_uid',
      LEGACY,
    ],
    [AGREEMENT, { validity_start_date: undefined, validity_end_date: '2026-09-30' }, '/validity_end_date'],
    [PAYMENT, { reference: 'A &lt; B' }, '/reference'],
    [PAYMENT, { creditor: { ...creditor, payment_account_uid: 'acc-1' } }, '/creditor/payment_account_uid'],
    [PAYMENT, { creditor: { party_name: 'B' } }, '/creditor/account_identifier'],
    [AMENDMENT, { changes: { description: 'A &#38; B' } }, '/changes/description'],
    [AMENDMENT, { changes: { validity_end_date: '2026-09-30' } }, '/changes/validity_end_date'],
    [SUSPENSION, { narrative: 'A &quot;pause&quot;' }, '/narrative'],
  ])('%s %j', async (path, over, pointer, version = NEW) => {
    const api = nothingKnown(anApi({ version }));
    expect(await problemIn(await send(api, path, over))).toMatchObject({
      status: 422,
      code: 'provider_would_refuse',
      provider_version: version,
      pointers: [pointer],
      errors: [{ detail: expect.stringMatching(/expected/) as string }],
    });
    expect(sentOf(api.door)).toBe(0);
  });
});

test('a repeat of what was accepted before is answered, whatever is no longer taken by now', async () => {
  const api = anApi();
  const over = { validity_start_date: undefined, validity_end_date: '2026-09-30' };
  api.door.agreements.view.mockResolvedValue(anAgreementView());
  expect((await send(api, AGREEMENT, over)).status).toBe(202);
  api.door.payments.view.mockResolvedValue(aPaymentView());
  expect((await send(api, PAYMENT, { reference: 'A &lt; B' })).status).toBe(202);
  expect(sentOf(api.door)).toBe(2);
});
