// What the agreement calls accept, answer and refuse.
import { expect, test } from 'vitest';
import { anAgreement, dayFromNow } from './requests.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld } from './world.js';

const VERSION = 'Service-API-Version';
const LEGACY = { [VERSION]: '20260101' };

test('a new agreement is 201 with the whole resource, pending', async () => {
  const { caller, url } = await aWorld();
  const request = anAgreement({ metadata: { order: '77' } });
  const answer = await caller.post('/payto/agreements', request);
  expect(answer.status).toBe(201);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.data).toMatchObject({
    uid: request.uid,
    state: 'pending',
    state_reason: null,
    mms_agreement_id: null,
    payment_terms: { type: 'variable', max_amount: 25_000, amount: null },
    debtor: { party_name: 'A Payer', ultimate_party_name: 'A Payer' },
    initiator: { name: 'Sandbox Biller', client_id: null },
    metadata: { order: '77' },
    links: { self: `${url}/payto/agreements/${request.uid}` },
  });
});

test('the same uid again is 422 ZPAGR00, and the first one stays', async () => {
  const { caller } = await aWorld();
  const request = anAgreement();
  await caller.post('/payto/agreements', request);
  const again = await caller.post('/payto/agreements', { ...request, description: 'Other' });
  expect(again).toMatchObject({
    status: 422,
    errors: [{ code: 'ZPAGR00', meta: { resource_uid: request.uid } }],
  });
  expect((await caller.get(`/payto/agreements/${request.uid}`)).data['description']).toBe('Plan 77');
});

test.each([
  [{ surprise: 1 }, 'surprise'],
  [{ payment_terms: { type: 'variable', frequency: 'adhoc', ceiling: 1 } }, 'payment_terms.ceiling'],
  [{ initiator: { name: 'B Biller', abn: '53004085616' } }, 'initiator.abn'],
  [{ initiator: { acn: '004085616' } }, 'initiator.acn'],
  [{ sandbox: { simulate: 'expire', speed: 2 } }, 'sandbox.speed'],
])('%o is 400 and the detail names the field', async (overrides, field) => {
  const { caller } = await aWorld();
  const answer = await caller.post('/payto/agreements', anAgreement(overrides));
  expect(answer).toMatchObject({ status: 400, errors: [{ title: 'Validation Failed' }] });
  expect(answer.errors[0]?.detail).toContain(field);
});

const debtorWith = (type: string, value: string) => ({
  debtor: { party_name: 'A Payer', account_identifier: { type, value } },
});

test.each([
  { uid: 'not a uid' },
  { uid: 'x'.repeat(65) },
  { description: 'café' },
  { description: 'salt &amp; pepper' },
  { description: '' },
  { purpose: 'holiday' },
  { payment_terms: { type: 'fixed', frequency: 'monthly' } },
  { payment_terms: { type: 'variable', frequency: 'monthly', amount: 5 } },
  { payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 0 } },
  { payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 1_000_000_001 } },
  { payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 1.5 } },
  { validity_start_date: '2027-02-30' },
  { resolution_requested_before: '2099-01-01T00:00:00+10:00' },
  { metadata: { nested: { no: true } } },
  { metadata: { long: 'x'.repeat(2048) } },
  { sandbox: { delay: 86_401 } },
  { creditor: { party_name: 'B', account_identifier: { type: 'bban', value: '200002-5' } } },
  debtorWith('bban', '20001-1234'),
  debtorWith('bban', '200001-1234567890'),
  debtorWith('alias_email', 'Payer@Example.com'),
  debtorWith('alias_abn', '1234567890'),
  debtorWith('card', '4111'),
])('%o is 422 ZPUNP00', async (overrides) => {
  const { caller } = await aWorld();
  const answer = await caller.post('/payto/agreements', anAgreement(overrides));
  expect([answer.status, answer.errors[0]?.code]).toEqual([422, 'ZPUNP00']);
});

test.each([
  [{ cancel_if_unresolved: true }, 'ZPAGR17'],
  [{ resolution_requested_before: '2020-01-01T00:00:00Z' }, 'ZPAGR03'],
  [{ validity_start_date: dayFromNow(-3) }, 'ZPAGR04'],
  [{ validity_start_date: dayFromNow(9), validity_end_date: dayFromNow(5) }, 'ZPAGR06'],
  [{ validity_end_date: dayFromNow(-3) }, 'ZPAGR08'],
  [debtorWith('bban', '200001-0000'), 'ZPAGR12'],
  [debtorWith('bban', '100000-1234'), 'ZPAGR14'],
  [debtorWith('bban', '100001-1234'), 'ZPUNP01'],
])('%o is 422 %s', async (overrides, code) => {
  const { caller } = await aWorld();
  const answer = await caller.post('/payto/agreements', anAgreement(overrides));
  expect(answer).toMatchObject({ status: 422, errors: [{ code }] });
});

test.each([
  debtorWith('alias_phone', '+61-412345678'),
  debtorWith('alias_email', 'payer@example.com'),
  debtorWith('alias_abn', '53004085616'),
  debtorWith('alias_organisation_identifier', 'ORG-7'),
  { creditor: null },
  { payment_terms: { type: 'fixed', frequency: 'monthly', amount: 500 } },
  {
    validity_start_date: dayFromNow(3),
    validity_end_date: dayFromNow(9),
    resolution_requested_before: '2099-01-01T00:00:00Z',
    cancel_if_unresolved: false,
  },
])('%o is good', async (overrides) => {
  const { caller } = await aWorld();
  expect((await caller.post('/payto/agreements', anAgreement(overrides))).status).toBe(201);
});

test('earlier versions take exactly one of abn and acn, and know no client_id', async () => {
  const { caller } = await aWorld();
  const create = (initiator: object) => caller.post('/payto/agreements', anAgreement({ initiator }), LEGACY);
  const good = await create({ name: 'B Biller', abn: '53004085616' });
  expect(good.status).toBe(201);
  expect(good.data['initiator']).not.toHaveProperty('client_id');
  expect((await create({ name: 'B Biller' })).errors[0]?.code).toBe('ZPAGR18');
  expect((await create({ client_id: '0195' })).status).toBe(400);
});

test('a version nobody published is refused', async () => {
  const { caller } = await aWorld();
  expect((await caller.get('/payto/agreements', { [VERSION]: '20991231' })).status).toBe(400);
});

test.each([
  ['{"uid":', 400],
  ['[]', 400],
  [`{"description":"${'x'.repeat(1024 * 1024)}"}`, 413],
])('a body that is no request is refused', async (body, status) => {
  const { caller } = await aWorld();
  const answer = await caller.post('/payto/agreements', body);
  expect([answer.status, answer.errors.length]).toEqual([status, 1]);
});

test.each([
  '/payto/agreements/none',
  '/payto/agreements/none/history',
  '/payto/agreements/__proto__',
  '/none',
])('%s is 404 with a reason', async (path) => {
  const { caller } = await aWorld();
  expect(await caller.get(path)).toMatchObject({ status: 404, errors: [{ title: 'Not Found' }] });
});

test('the list is newest first, a page at a time, and its last page has no next', async () => {
  const { caller } = await aWorld();
  const requests = [anAgreement(), anAgreement(), anAgreement()];
  for (const request of requests) await caller.post('/payto/agreements', request);
  const newestFirst = requests.map(({ uid }) => uid).toReversed();
  const first = await caller.get('/payto/agreements?per_page=2');
  expect(first.list.map(({ uid }) => uid)).toEqual(newestFirst.slice(0, 2));
  expect(first.links.next).toMatch(/^\/payto\/agreements\?per_page=2&starting_after=/);
  const second = await caller.get(first.links.next ?? '');
  expect(second.list.map(({ uid }) => uid)).toEqual(newestFirst.slice(2));
  expect(second.links).toEqual({});
});

test('the list can be filtered by states', async () => {
  const world = await aWorld();
  const active = await anActiveAgreement(world);
  const created = await anIgnoredAgreement(world);
  const uids = async (query: string) =>
    (await world.caller.get(`/payto/agreements?${query}`)).list.map(({ uid }) => uid);
  expect(await uids('state=active')).toEqual([active]);
  expect(await uids('state=active,created')).toEqual([created, active]);
  expect(await uids('state=cancelled')).toEqual([]);
});

test.each(['per_page=0', 'per_page=101', 'per_page=ten', 'starting_after=nowhere'])(
  '%s is 422 ZPPGN00',
  async (query) => {
    const { caller } = await aWorld();
    expect((await caller.get(`/payto/agreements?${query}`)).errors[0]?.code).toBe('ZPPGN00');
  },
);

test('the history is newest first, in UTC, a page at a time', async () => {
  const world = await aWorld();
  const { caller, control } = world;
  const uid = await anActiveAgreement(world);
  for (const action of ['suspend', 'reactivate', 'cancel'] as const) control.actAsPayer(uid, action);
  const first = await caller.get(`/payto/agreements/${uid}/history?per_page=3`);
  const types = first.list.map((entry) => entry['type']);
  expect(types).toEqual(['cancelled', 'reactivated', 'suspended'].map((name) => `payto_agreement.${name}`));
  expect(Object.keys(first.list[0] ?? {}).sort()).toEqual(
    ['body', 'id', 'published_at', 'resource_type', 'resource_uid', 'type'].sort(),
  );
  expect(first.list[0]?.['published_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const ids = first.list.map(({ id }) => id);
  expect(ids.toSorted().toReversed()).toEqual(ids);
  const second = await caller.get(first.links.next ?? '');
  expect(second.list.map((entry) => entry['type'])).toEqual(['payto_agreement.activated']);
  expect(second.links).toEqual({});
});
