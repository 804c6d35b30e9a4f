import { expect, test } from 'vitest';
import { CALL, aClientRequest, anAgreementRequest } from '../../support/payments-api/examples.js';
import { VERSIONS, fakeProvider } from '../../support/payments-api/fake-provider.js';
import { thrownBy } from '../../support/payments-api/loopback.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const ACCOUNT = { payment_account_uid: 'acc-1' };
const CREDITOR = { party_name: 'B', account_identifier: { type: 'bban', value: '200002-55550001' } };
const agreement = (overrides: object) => ({ ...anAgreementRequest(), initiator: undefined, ...overrides });
const byInitiator = (initiator: object) => (api: PaymentsApi) =>
  api.createAgreement(agreement({ initiator: { name: 'B', ...initiator } }), CALL);

const OLD = ['20250101', '20260101'];
const NEW = ['20260901', '20270101'];

test.each<[string, (api: PaymentsApi) => Promise<unknown>, string, string[], string]>([
  [
    'createAgreement',
    byInitiator({ legal_name: 'B Ltd', abn: '12345678901' }),
    'initiator.abn',
    OLD,
    'initiator.client_id',
  ],
  ['createAgreement', byInitiator({ client_id: '0195' }), 'initiator.client_id', NEW, 'initiator.abn'],
  [
    'createAgreement',
    (api) => api.createAgreement(agreement({ debtor: { party_name: 'A', ...ACCOUNT } }), CALL),
    'debtor.payment_account_uid',
    NEW,
    'account_identifier',
  ],
  [
    'proposeAmendment',
    (api) => api.proposeAmendment('agr-2f9c', { changes: { initiator: { name: 'C' } } }, CALL),
    'changes.initiator',
    OLD,
    'addIdentification',
  ],
  [
    'createClient',
    (api) => api.createClient(aClientRequest({ risk_level: 'low' }), CALL),
    'risk_level',
    OLD,
    'merchant_category_code',
  ],
  [
    'createClient',
    (api) => api.createClient(aClientRequest({ parent_client_id: '0195' }), CALL),
    'parent_client_id',
    NEW,
    'no parent',
  ],
  [
    'addIdentification',
    (api) => api.addIdentification('agr-2f9c', { initiator: { client_id: '0195' } }, CALL),
    'call',
    NEW,
    'new agreement',
  ],
  [
    'createCounterparty',
    (api) => api.createCounterparty({ payment_accounts: [CREDITOR].map(toAccount) }, CALL),
    'call',
    NEW,
    'account_identifier',
  ],
])(
  'row %#, %s is sent on supported versions and refused on others',
  async (operation, run, field, takenOn, useInstead) => {
    for (const version of [...VERSIONS, '20270101']) {
      const { api, asked } = fakeProvider({ status: 202, body: { data: { uid: 'agr-2f9c' } } }, version);
      if (takenOn.includes(version)) {
        await run(api).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'malformed' });
        });
        expect(asked).toHaveLength(1);
        continue;
      }
      const error = await thrownBy(() => run(api));
      expect(error).toMatchObject({ code: 'rejected', status: undefined, name: 'PaymentsApiError' });
      for (const part of [`${operation}: `, field, version, '20260901'])
        expect(String(error)).toContain(part);
      expect(String(error)).toMatch(new RegExp(`\\. Use .*${useInstead}.* instead$`));
      expect(asked).toEqual([]);
    }
  },
);

function toAccount({ account_identifier }: typeof CREDITOR): {
  account_identifier: { type: string; value: string };
} {
  return { account_identifier };
}

test('a legal name alone is refused on 20260901', async () => {
  const { api, asked } = fakeProvider();
  const error = await thrownBy(() => byInitiator({ legal_name: 'B Ltd' })(api));
  expect(String(error)).toMatch(/no initiator\.legal_name on version 20260901 .* Use initiator\.client_id/);
  expect(asked).toEqual([]);
});

test('a name alone is accepted on 20260901 for the primary client', async () => {
  const { api, asked } = fakeProvider({ status: 201, body: { data: { id: 'x' } } });
  await byInitiator({})(api);
  expect(asked[0]?.body).toMatchObject({ initiator: { name: 'B' } });
});
