// What each list asks by which filter (docs/provider.md#lists, #webhooks-deliveries), and how it goes on over pages.
import { expect, test } from 'vitest';
import { CALL } from '../../support/payments-api/examples.js';
import { fakeProvider } from '../../support/payments-api/fake-provider.js';
import { all, thrownBy } from '../../support/payments-api/loopback.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const ID = '0195aaaa-0000-7000-8000-00000000000a';
const EMPTY = { body: { data: [], links: {} } };
const DAYS = { minCreatedDate: '2026-09-01', maxCreatedDate: '2026-09-30' };
const DAYS_ASKED = 'min_created_date=2026-09-01&max_created_date=2026-09-30';
const PAGE = { perPage: 100, startingAfter: 'cur+sor==' };
const PAGE_ASKED = 'per_page=100&starting_after=cur%2Bsor%3D%3D';

const entriesOf = (api: PaymentsApi, filter: object) => api.listFloatAccountEntries(ID, filter, CALL);
const deliveriesOf = (api: PaymentsApi, filter: object) => api.listWebhookDeliveries('wh-1', filter, CALL);

test.each<[string, (api: PaymentsApi) => AsyncIterable<unknown>, string]>([
  ['agreements', (api) => api.listAgreements({}, CALL), '/payto/agreements'],
  [
    'agreements by everything',
    (api) =>
      api.listAgreements({ state: ['active', 'new_one'], initiatorName: 'B & Co', ...DAYS, ...PAGE }, CALL),
    `/payto/agreements?state=active%2Cnew_one&initiator_name=B+%26+Co&${DAYS_ASKED}&${PAGE_ASKED}`,
  ],
  [
    'payments by everything',
    (api) =>
      api.listPayments(
        {
          state: ['settled'],
          agreementUid: 'agr-2f9c',
          agreementInitiatorName: 'B',
          refunds: 'only',
          ...DAYS,
          ...PAGE,
        },
        CALL,
      ),
    `/payto/payments?state=settled&agreement_uid=agr-2f9c&agreement_initiator_name=B&refunds=only&${DAYS_ASKED}&${PAGE_ASKED}`,
  ],
  [
    'refunds by everything',
    (api) => api.listRefunds({ originalPaymentUid: 'pay-0001', ...DAYS, ...PAGE }, CALL),
    `/payto/refunds?original_payment_uid=pay-0001&${DAYS_ASKED}&${PAGE_ASKED}`,
  ],
  [
    'clients by everything',
    (api) => api.listClients({ legalName: 'B', australianBusinessNumber: '12345678901', ...PAGE }, CALL),
    `/clients?legal_name=B&australian_business_number=12345678901&${PAGE_ASKED}`,
  ],
  [
    'entries by everything',
    (api) => entriesOf(api, { minCreatedDate: '2026-09-01T00:00:00+10:00', ...PAGE }),
    `/bank_accounts/${ID}/entries?min_created_date=2026-09-01T00%3A00%3A00%2B10%3A00&${PAGE_ASKED}`,
  ],
  ['webhooks', (api) => api.listWebhooks(CALL), '/webhooks'],
  ['deliveries', (api) => deliveriesOf(api, {}), '/webhooks/wh-1/deliveries'],
  [
    'deliveries by everything',
    (api) =>
      api.listWebhookDeliveries(
        'wh-1',
        {
          eventType: 'payto_payment.settled',
          since: '2026-09-01',
          state: ['failed', 'retrying'],
          responseStatusCode: [404, { from: 500, to: 599 }, null],
          ref: 'ABC.1',
          ...PAGE,
        },
        CALL,
      ),
    `/webhooks/wh-1/deliveries?event_type=payto_payment.settled&since=2026-09-01&state=failed%2Cretrying&response_status_code=404%2C500-599%2Cnull&ref=ABC.1&${PAGE_ASKED}`,
  ],
  [
    'deliveries without an answer',
    (api) => deliveriesOf(api, { responseStatusCode: [null] }),
    '/webhooks/wh-1/deliveries?response_status_code=null',
  ],
  [
    'deliveries by no state and no code',
    (api) => deliveriesOf(api, { state: [], responseStatusCode: [] }),
    '/webhooks/wh-1/deliveries',
  ],
])('lists %s', async (_what, list, path) => {
  const { api, asked } = fakeProvider(EMPTY);
  expect(await all(list(api))).toEqual([]);
  expect(asked.map((one) => `${one.method} ${one.path}`)).toEqual([`GET ${path}`]);
});

test.each<[string, (api: PaymentsApi) => AsyncIterable<unknown>, string]>([
  ['a page of none', (api) => api.listAgreements({ perPage: 0 }, CALL), 'perPage'],
  ['a page of 101', (api) => api.listPayments({ perPage: 101 }, CALL), 'perPage'],
  ['half an entry', (api) => api.listRefunds({ perPage: 1.5 }, CALL), 'perPage'],
  [
    'a day that never was',
    (api) => api.listRefunds({ minCreatedDate: '2026-02-30' }, CALL),
    'minCreatedDate',
  ],
  ['a state with a comma in it', (api) => api.listAgreements({ state: ['a,b'] }, CALL), 'state.0'],
  ['an agreement of no uid', (api) => api.listPayments({ agreementUid: 'a b' }, CALL), 'agreementUid'],
  ['an instant without a zone', (api) => entriesOf(api, { maxCreatedDate: '2026-09-01T00:00:00' }), 'maxCr'],
  [
    'a range that runs backwards',
    (api) => deliveriesOf(api, { responseStatusCode: [{ from: 599, to: 500 }] }),
    'responseStatusCode.0',
  ],
  [
    'a status that is none',
    (api) => deliveriesOf(api, { responseStatusCode: [1000] }),
    'responseStatusCode.0',
  ],
  ['an unknown filter', (api) => deliveriesOf(api, { colour: 'red' }), 'colour'],
  ['deliveries of a path', (api) => api.listWebhookDeliveries('../user', {}, CALL), 'uid'],
  ['entries of what is no UUID', (api) => api.listFloatAccountEntries('7', {}, CALL), 'UUID'],
])('refuses to ask for %s, once the list is read', async (_what, list, named) => {
  const { api, asked } = fakeProvider(EMPTY);
  const listed = list(api); // a list fails where it is read, never where it is made
  expect(await thrownBy(() => all(listed))).toMatchObject({
    code: 'rejected',
    status: undefined,
    message: expect.stringContaining(named) as string,
  });
  expect(asked).toEqual([]);
});

const linked = (path: string) => ({ headers: { link: `<${path}>; rel="next"` } });

test.each<[string, (api: PaymentsApi) => AsyncIterable<unknown>, string]>([
  ['entries', (api) => entriesOf(api, {}), `/bank_accounts/${ID}/entries`],
  ['webhooks', (api) => api.listWebhooks(CALL), '/webhooks'],
  ['deliveries', (api) => deliveriesOf(api, {}), '/webhooks/wh-1/deliveries'],
])('goes on over the pages of %s by the Link header', async (_what, list, path) => {
  const { api, asked } = fakeProvider([
    { body: { data: [{ id: 'a' }] }, ...linked(`${path}?page=2`) },
    { body: { data: [null, 7, 'x', [], { id: 'b' }] } },
  ]);
  expect(await all(list(api))).toEqual([{ id: 'a' }, { id: 'b' }]);
  expect(asked.map((one) => one.path)).toEqual([path, `${path}?page=2`]);
});

test.each<[string, (api: PaymentsApi) => AsyncIterable<unknown>, string]>([
  ['payments', (api) => api.listPayments({ state: ['failed'] }, CALL), '/payto/payments'],
  ['refunds', (api) => api.listRefunds({}, CALL), '/payto/refunds'],
  ['clients', (api) => api.listClients({}, CALL), '/clients'],
])('goes on over the pages of %s by links.next', async (_what, list, path) => {
  const next = `${path}?starting_after=a`;
  const { api, asked } = fakeProvider([
    { body: { data: [{ uid: 'a', id: 'a' }], links: { next } } },
    { body: { data: [{ uid: 'b', id: 'b' }], links: {} } },
  ]);
  expect(await all(list(api))).toMatchObject([{ uid: 'a' }, { uid: 'b' }]);
  expect(asked[1]?.path).toBe(next);
});

test('a listed webhook comes without its secret', async () => {
  const webhook = { id: 'wh-1', url: 'https://x.example', events: ['a'] };
  const { api } = fakeProvider({ body: { data: [{ ...webhook, signature_secret: 's3cr3t' }] } });
  expect(await all(api.listWebhooks(CALL))).toEqual([webhook]);
});
