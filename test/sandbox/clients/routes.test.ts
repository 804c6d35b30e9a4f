// What the calls on clients accept, answer and refuse, in each version of the API.
import { expect, test, describe } from 'vitest';
import {
  aClient,
  aPayToClient,
  aRegisteredClient,
  aLegacyClient,
  aPaymentAccount,
} from '../../support/sandbox/clients.js';
import { aWorld } from '../../support/sandbox/world.js';

describe('what the calls on clients accept, answer and refuse, and how the services of a client come to life', () => {
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  test('a new client is 201 with everything that was said, nulls for the rest and its services pending', async () => {
    const { caller } = await aWorld();
    const answer = await caller.post(
      '/clients',
      aClient({ services: ['payto', 'de'], austrac_number: '77' }),
    );
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(UUID) as unknown,
      parent_client_id: null,
      type: 'business',
      legal_name: 'Corner Gym Pty Ltd',
      business_names: ['Corner Gym', 'Gym on the Corner'],
      australian_business_number: '11222333444',
      australian_company_number: '222333444',
      company_incorporation_date: null,
      business_registration_date: null,
      registered_address: null,
      website_url: null,
      merchant_category_code: '7997',
      contact_information: null,
      primary_bank_account_bban: null,
      australian_credit_licence: null,
      australian_financial_services_licence: null,
      austrac_number: '77',
      services: { payto: 'pending', rtp: null, de: 'pending' },
    });
  });

  test.each([
    { legal_name: undefined },
    { legal_name: '' },
    { legal_name: 'Café Pty Ltd' },
    { merchant_category_code: undefined },
    { merchant_category_code: '799' },
    { merchant_category_code: 7997 },
    { type: 'charity' },
    { australian_business_number: '1122233344' },
    { australian_company_number: '22233344' },
    { company_incorporation_date: '2026-02-30' },
    { website_url: 'ftp://gym.example' },
    { primary_bank_account_bban: '20000-1234' },
    { contact_information: { email: 'nobody' } },
    { contact_information: { phone: 'call me' } },
    { services: 'payto' },
    { services: ['payto', 'cards'] },
  ])('%o is 422 ZPUNP00 and registers nobody', async (overrides) => {
    const { caller } = await aWorld();
    const answer = await caller.post('/clients', aClient(overrides));
    expect([answer.status, answer.errors[0]?.code]).toEqual([422, 'ZPUNP00']);
    expect(answer.errors[0]?.detail).toContain(Object.keys(overrides)[0]);
    expect((await caller.get('/clients')).list).toEqual([]);
  });

  test.each([
    [{ abn: '11222333444' }, 'abn'],
    [{ contact_information: { fax: '1' } }, 'contact_information.fax'],
    [{ sandbox: { simulate: 'active' } }, 'sandbox'],
  ])('%o is 400 and the detail names the field', async (overrides, field) => {
    const { caller } = await aWorld();
    const answer = await caller.post('/clients', aClient(overrides));
    expect(answer).toMatchObject({ status: 400, errors: [{ title: 'Validation Failed' }] });
    expect(answer.errors[0]?.detail).toContain(field);
  });

  test('a service is pending for a minute, then active, and no webhook tells of it', async () => {
    const world = await aWorld();
    const id = await aRegisteredClient(world);
    const payto = async () => (await world.caller.get(`/clients/${id}`)).data['services'];
    await world.control.advance(50);
    expect(await payto()).toEqual({ payto: 'pending', rtp: null, de: null });
    await world.control.advance(10);
    expect(await payto()).toEqual({ payto: 'active', rtp: null, de: null });
    expect(world.receiver.received).toEqual([]);
  });

  test('an update is 202 without a body: what it names changes, null empties, the rest stays', async () => {
    const { caller } = await aWorld();
    const contact_information = { contact_name: 'A', email: 'a@gym.example', phone: '+61 2 1234' };
    const id = await aRegisteredClient({ caller }, { registered_address: '1 Main St', contact_information });
    const changes = { legal_name: 'Corner Gym Ltd', registered_address: null, business_names: null };
    const answer = await caller.patch(`/clients/${id}`, changes);
    expect([answer.status, answer.data]).toEqual([202, {}]);
    expect((await caller.get(`/clients/${id}`)).data).toEqual({
      ...(await caller.post('/clients', aClient({ contact_information }))).data,
      ...changes,
      id,
      business_names: [],
    });
  });

  test('an update adds a service, which is pending for a minute of its own', async () => {
    const world = await aWorld();
    const id = await aRegisteredClient(world);
    const services = async () => (await world.caller.get(`/clients/${id}`)).data['services'];
    await world.control.advance(40);
    expect((await world.caller.patch(`/clients/${id}`, { services: ['rtp', 'rtp'] })).status).toBe(202);
    await world.control.advance(20);
    expect(await services()).toEqual({ payto: 'active', rtp: 'pending', de: null });
    await world.control.advance(40);
    expect(await services()).toEqual({ payto: 'active', rtp: 'active', de: null });
  });

  test.each(['suspended', 'off_boarded'] as const)(
    'an update brings back no service that the provider has %s',
    async (status) => {
      const world = await aWorld();
      const id = await aPayToClient(world);
      world.control.setClientService(id, 'payto', status);
      expect((await world.caller.patch(`/clients/${id}`, { services: ['payto'] })).status).toBe(202);
      await world.control.advance(3600);
      expect((await world.caller.get(`/clients/${id}`)).data['services']).toMatchObject({ payto: status });
    },
  );

  test.each([
    { australian_business_number: '99222333444' },
    { australian_company_number: null },
    { merchant_category_code: '7997' },
    { parent_client_id: null },
  ])('an update with %o is 422, and the client stays as it was', async (change) => {
    const { caller } = await aWorld();
    const id = await aRegisteredClient({ caller });
    const before = await caller.get(`/clients/${id}`);
    const answer = await caller.patch(`/clients/${id}`, { legal_name: 'Other', ...change });
    expect([answer.status, answer.errors[0]?.code]).toEqual([422, 'ZPUNP00']);
    expect(answer.errors[0]?.detail).toBe(`${Object.keys(change)[0] ?? ''}: cannot be updated`);
    expect((await caller.get(`/clients/${id}`)).data).toEqual(before.data);
  });

  test.each([
    [{ legal_name: null }, 422],
    [{ services: ['cards'] }, 422],
    [{ nickname: 'Gym' }, 400],
  ])('an update with %o is %i', async (change, status) => {
    const { caller } = await aWorld();
    const id = await aRegisteredClient({ caller });
    expect((await caller.patch(`/clients/${id}`, change)).status).toBe(status);
  });

  test.each(['none', 'primary', '__proto__', 'constructor'])('a client %s is 404', async (id) => {
    const { caller, control } = await aWorld();
    control.setMerchantCategory('primary', '7995');
    expect((await caller.get(`/clients/${id}`)).status).toBe(404);
    expect((await caller.patch(`/clients/${id}`, { legal_name: 'Mine' })).status).toBe(404);
  });

  test('the list is newest first, a page at a time, without the account itself', async () => {
    const { caller, control } = await aWorld();
    control.setMerchantCategory('primary', '7995');
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.unshift(await aRegisteredClient({ caller }));
    const first = await caller.get('/clients?per_page=2');
    expect(first.list.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.links.next).toMatch(/^\/clients\?per_page=2&starting_after=/);
    const second = await caller.get(first.links.next ?? '');
    expect([second.list.map(({ id }) => id), second.links]).toEqual([ids.slice(2), {}]);
  });

  test.each([
    ['legal_name=corner', ['Corner Gym Pty Ltd']],
    ['legal_name=Gym', []],
    ['legal_name=', ['North Pool Ltd', 'Corner Gym Pty Ltd']],
    ['australian_business_number=99888777666', ['North Pool Ltd']],
    ['australian_business_number=53004085616', []],
    ['legal_name=north&australian_business_number=11222333444', []],
  ])('the list filtered by %s', async (query, names) => {
    const { caller } = await aWorld();
    await aRegisteredClient({ caller });
    const pool = { legal_name: 'North Pool Ltd', australian_business_number: '99888777666' };
    await aRegisteredClient({ caller }, pool);
    const { list } = await caller.get(`/clients?${query}`);
    expect(list.map((client) => client['legal_name'])).toEqual(names);
  });

  test.each([
    ['per_page=0', 422, 'ZPPGN00'],
    ['starting_after=nowhere', 422, 'ZPPGN00'],
    ['australian_business_number=53', 422, 'ZPUNP00'],
    ['state=active', 400, undefined],
  ])('the list with %s is %i', async (query, status, code) => {
    const { caller } = await aWorld();
    const answer = await caller.get(`/clients?${query}`);
    expect([answer.status, answer.errors[0]?.code]).toEqual([status, code]);
  });
});

describe('what each version of the API takes and tells of a client', () => {
  const on = (version: string) => ({ 'Service-API-Version': version });
  const LEGACY = ['20250101', '20260101'];

  test.each(
    [
      { version: '20260901', field: 'risk_level', value: 'low' },
      { version: '20260901', field: 'relationship', value: 'franchise' },
      ...LEGACY.map((version) => ({ version, field: 'parent_client_id', value: null })),
    ].flatMap((row) => [
      { ...row, method: 'post' as const },
      { ...row, method: 'patch' as const },
    ]),
  )('$version refuses $field on $method with 400, naming both', async ({ version, field, value, method }) => {
    const { caller } = await aWorld();
    const { data } = await caller.post('/clients', aClient());
    const answer =
      method === 'post'
        ? await caller.post('/clients', { ...aClient(), [field]: value }, on(version))
        : await caller.patch(`/clients/${data.id ?? ''}`, { [field]: value }, on(version));
    expect(answer).toMatchObject({ status: 400, errors: [{ title: 'Validation Failed' }] });
    expect(answer.errors[0]?.detail).toContain(`${field} (on version ${version}:`);
  });

  test.each(LEGACY)('%s asks for the risk level, tells it, and knows no parent', async (version) => {
    const { caller } = await aWorld();
    const without = await caller.post('/clients', aClient(), on(version));
    expect([without.status, without.errors[0]?.detail]).toEqual([422, expect.stringContaining('risk_level')]);
    const wrong = await caller.post('/clients', aLegacyClient({ risk_level: 'extreme' }), on(version));
    expect(wrong.status).toBe(422);
    const made = await caller.post('/clients', aLegacyClient({ relationship: 'franchise' }), on(version));
    expect([made.status, made.data['risk_level']]).toEqual([201, 'medium']);
    expect(made.data).not.toHaveProperty('parent_client_id');
    expect(
      (await caller.patch(`/clients/${made.data.id ?? ''}`, { risk_level: 'low' }, on(version))).status,
    ).toBe(202);
    expect((await caller.get('/clients', on(version))).list[0]?.['risk_level']).toBe('low');
  });

  test.each([
    ['7995', 'high'],
    ['6051', 'high'],
    ['7997', 'low'],
  ])('20260901 derives the risk of %s and keeps it to itself', async (merchant_category_code, risk) => {
    const { caller } = await aWorld();
    const { data } = await caller.post('/clients', aClient({ merchant_category_code }));
    expect(data).not.toHaveProperty('risk_level');
    const path = `/clients/${data.id ?? ''}`;
    expect((await caller.get(path)).data).not.toHaveProperty('risk_level');
    expect((await caller.get(path, on('20260101'))).data['risk_level']).toBe(risk);
  });

  test.each(LEGACY)('%s has no counterparties, not even bad ones', async (version) => {
    const { caller, control } = await aWorld();
    for (const body of [{ payment_accounts: [aPaymentAccount()] }, { surprise: 1 }]) {
      expect((await caller.post('/counterparties', body, on(version))).status).toBe(404);
    }
    expect(control.ledger().filter(({ kind }) => kind === 'change')).toEqual([]);
  });
});
