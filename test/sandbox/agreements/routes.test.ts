// What the agreement calls accept and answer, and how many agreements may be asked for in a day.
import { expect, test, describe } from 'vitest';
import { aDebtor, LEGACY, VERSION, FIVE_DAYS, verdict } from '../../support/sandbox/agreements.js';
import { anAgreement, dayFromNow } from '../../support/sandbox/requests.js';
import { tickWhenRead } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

describe('what the agreement calls accept and answer', () => {
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

  const debtorWith = (type: string, value: string) => ({
    debtor: { party_name: 'A Payer', account_identifier: { type, value } },
  });

  test.each([
    debtorWith('alias_phone', '+61-412345678'),
    debtorWith('alias_email', 'payer@example.com'),
    debtorWith('alias_abn', '53004085616'),
    debtorWith('alias_organisation_identifier', 'ORG-7'),
    { creditor: null },
    { payment_terms: { type: 'fixed', frequency: 'monthly', amount: 500 } },
    { payment_terms: { type: 'usage_based', frequency: 'adhoc' } },
    {
      payment_terms: {
        type: 'balloon',
        frequency: 'quarterly',
        amount: 500,
        first_payment_amount: 100,
        last_payment_amount: 900,
        first_payment_date: dayFromNow(4),
        last_payment_date: dayFromNow(8),
      },
      validity_start_date: dayFromNow(3),
      validity_end_date: dayFromNow(9),
      resolution_requested_before: new Date(Date.now() + 86_400_000).toISOString(),
      cancel_if_unresolved: true,
    },
  ])('%o is good', async (overrides) => {
    const { caller } = await aWorld();
    expect((await caller.post('/payto/agreements', anAgreement(overrides))).status).toBe(201);
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

  test('without per_page a page has twenty, and 100 at most', async () => {
    const { caller } = await aWorld();
    for (let made = 0; made < 21; made += 1) {
      await caller.post('/payto/agreements', anAgreement({ debtor: aDebtor() }));
    }
    expect((await caller.get('/payto/agreements')).list).toHaveLength(20);
    expect((await caller.get('/payto/agreements?per_page=100')).list).toHaveLength(21);
  });

  test('the list can be filtered by state, initiator and day of creation, together too', async () => {
    const world = await aWorld();
    const { caller, control } = world;
    const active = await anActiveAgreement(world);
    const named = await anActiveAgreement(world, { initiator: { name: 'Sandbox Biller Pty Ltd' } });
    await control.advance(3 * 86_400);
    const later = { ...world, caller: await world.newCaller() };
    const declined = await anActiveAgreement(later, { sandbox: { simulate: 'debtor_decline' } });
    const uids = async (query: string) =>
      (await later.caller.get(`/payto/agreements?${query}`)).list.map(({ uid }) => uid);
    const between = dayFromNow(2);
    expect(await uids('state=active')).toEqual([named, active]);
    expect(await uids('state=active,declined')).toEqual([declined, named, active]);
    expect(await uids('state=cancelled')).toEqual([]);
    expect(await uids('initiator_name=Sandbox%20Biller')).toEqual([declined, active]);
    expect(await uids('initiator_name=sandbox%20biller')).toEqual([]);
    expect(await uids(`min_created_date=${between}`)).toEqual([declined]);
    expect(await uids(`max_created_date=${between}`)).toEqual([named, active]);
    expect(await uids(`max_created_date=${between}&initiator_name=Sandbox%20Biller`)).toEqual([active]);
    expect((await caller.get('/payto/agreements')).status).toBe(401);
  });

  test.each([
    ['state=asleep', 'ZPUNP00'],
    ['min_created_date=2026-02-30', 'ZPUNP00'],
    ['per_page=0', 'ZPPGN00'],
    ['per_page=101', 'ZPPGN00'],
    ['per_page=ten', 'ZPPGN00'],
    ['starting_after=nowhere', 'ZPPGN00'],
  ])('a list with %s is 422 %s', async (query, code) => {
    const { caller } = await aWorld();
    expect((await caller.get(`/payto/agreements?${query}`)).errors[0]?.code).toBe(code);
  });

  test('a list and a history know no other filters', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    expect((await world.caller.get('/payto/agreements?purpose=tax')).status).toBe(400);
    expect((await world.caller.get(`/payto/agreements/${uid}/history?state=active`)).status).toBe(400);
  });

  test('the history is newest first, in UTC, a page at a time', async () => {
    const world = await aWorld();
    const { caller, control } = world;
    const uid = await anActiveAgreement(world);
    tickWhenRead();
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
    const second = await caller.get(first.links.next ?? '', LEGACY);
    expect(second.list.map((entry) => entry['type'])).toEqual(['payto_agreement.activated']);
    expect(second.links).toEqual({});
  });
});

describe('how many agreements may be asked for in a day', () => {
  const A_DAY = 86_400;
  const create = async ({ caller }: Pick<World, 'caller'>, overrides: object = {}) =>
    verdict(await caller.post('/payto/agreements', anAgreement(overrides)));

  test('six attempts for one debtor account in 24 hours, then ZPAGR15 until the first is a day old', async () => {
    const world = await aWorld();
    const debtor = aDebtor();
    await create(world, { debtor });
    await world.control.advance(3600);
    for (let more = 0; more < 5; more += 1) expect(await create(world, { debtor })).toBe(201);
    expect(await create(world, { debtor })).toBe('ZPAGR15');
    expect(await create(world, { debtor: aDebtor() })).toBe(201);
    await world.control.advance(A_DAY - 3700);
    const later = { caller: await world.newCaller() };
    expect(await create(later, { debtor })).toBe('ZPAGR15');
    await world.control.advance(200);
    expect(await create(later, { debtor })).toBe(201);
    expect(await create(later, { debtor })).toBe('ZPAGR15');
  });

  test('an attempt that a rule refuses counts; one that the schema or the limit refuses does not, nor a known uid', async () => {
    const world = await aWorld();
    const debtor = aDebtor();
    const known = anAgreement({ debtor });
    await world.caller.post('/payto/agreements', known);
    const outcomes = [
      await create(world, { debtor, cancel_if_unresolved: true }),
      await create(world, { debtor, initiator: { client_id: 'nobody' } }),
      await create(world, { debtor, surprise: 1 }),
      await create(world, { debtor, description: '' }),
      await create(world, { uid: known.uid, debtor }),
      await create(world, { debtor }),
      await create(world, { debtor }),
      await create(world, { debtor }),
      await create(world, { debtor }),
      await create(world, { uid: known.uid, debtor }),
    ];
    expect(outcomes).toEqual([
      'ZPAGR17',
      'ZPUNP00',
      400,
      'ZPUNP00',
      'ZPAGR00',
      201,
      201,
      201,
      'ZPAGR15',
      'ZPAGR00',
    ]);
  });

  test('an alias is an account of its own', async () => {
    const world = await aWorld();
    world.control.setLimits({ agreements_per_debtor_per_day: 1 });
    const alias = (value: string) => ({
      debtor: { party_name: 'A Payer', account_identifier: { type: 'alias_email', value } },
    });
    expect(await create(world, alias('a@b.example'))).toBe(201);
    expect(await create(world, alias('c@b.example'))).toBe(201);
    expect(await create(world, alias('a@b.example'))).toBe('ZPAGR15');
  });

  test('the account’s own limit counts what was created in 24 hours: ZPAGR16', async () => {
    const world = await aWorld();
    world.control.setLimits({ agreements_per_account_per_day: 2 });
    expect(await create(world, { debtor: aDebtor() })).toBe(201);
    expect(await create(world, { debtor: aDebtor(), cancel_if_unresolved: true })).toBe('ZPAGR17');
    expect(await create(world, { debtor: aDebtor() })).toBe(201);
    expect(await create(world, { debtor: aDebtor() })).toBe('ZPAGR16');
    await world.control.advance(FIVE_DAYS);
    expect(await create({ caller: await world.newCaller() }, { debtor: aDebtor() })).toBe(201);
  });
});
