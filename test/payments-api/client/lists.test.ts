import { expect, test } from 'vitest';
import { CALL } from '../../support/payments-api/examples.js';
import { fakeProvider } from '../../support/payments-api/fake-provider.js';
import { all } from '../../../tools/conform/walk-payto.js';
import { thrownBy } from '../../support/payments-api/loopback.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const ID = '0195aaaa-0000-7000-8000-00000000000a';
const EMPTY = { body: { data: [], links: {} } };

const entriesOf = (api: PaymentsApi, filter: object) => api.listFloatAccountEntries(ID, filter, CALL);
const deliveriesOf = (api: PaymentsApi, filter: object) => api.listWebhookDeliveries('wh-1', filter, CALL);

test.each<[string, (api: PaymentsApi) => AsyncIterable<unknown>, string]>([
  ['a page size of 0', (api) => api.listAgreements({ perPage: 0 }, CALL), 'perPage'],
  ['a page size of 101', (api) => api.listPayments({ perPage: 101 }, CALL), 'perPage'],
  ['a fractional page size', (api) => api.listRefunds({ perPage: 1.5 }, CALL), 'perPage'],
  ['an invalid date', (api) => api.listRefunds({ minCreatedDate: '2026-02-30' }, CALL), 'minCreatedDate'],
  ['a state that contains a comma', (api) => api.listAgreements({ state: ['a,b'] }, CALL), 'state.0'],
  ['an invalid agreement uid', (api) => api.listPayments({ agreementUid: 'a b' }, CALL), 'agreementUid'],
  [
    'a timestamp without a time zone',
    (api) => entriesOf(api, { maxCreatedDate: '2026-09-01T00:00:00' }),
    'maxCr',
  ],
  [
    'a descending status range',
    (api) => deliveriesOf(api, { responseStatusCode: [{ from: 599, to: 500 }] }),
    'responseStatusCode.0',
  ],
  ['an invalid status', (api) => deliveriesOf(api, { responseStatusCode: [1000] }), 'responseStatusCode.0'],
  ['an unknown filter', (api) => deliveriesOf(api, { colour: 'red' }), 'colour'],
  ['a path in place of a webhook uid', (api) => api.listWebhookDeliveries('../user', {}, CALL), 'uid'],
  ['an account id that is not a UUID', (api) => api.listFloatAccountEntries('7', {}, CALL), 'UUID'],
])('reading a list with %s is refused before sending', async (_what, list, named) => {
  const { api, requests } = fakeProvider(EMPTY);
  const listed = list(api);
  expect(await thrownBy(() => all(listed))).toMatchObject({
    code: 'rejected',
    status: undefined,
    message: expect.stringContaining(named) as string,
  });
  expect(requests).toEqual([]);
});
