// What the provider may do to the services of a client, and what the ledger notes of clients.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, onTestFinished, describe } from 'vitest';
import { PRIMARY_CLIENT } from '../../../sandbox/clients/records.js';
import { serviceMoves } from '../../../sandbox/clients/services.js';
import { startSandbox } from '../../../sandbox/start.js';
import { callerWith, consent } from '../../support/sandbox/caller.js';
import {
  aRegisteredClient,
  aClient,
  aCounterparty,
  aPaymentAccount,
  aPayToClient,
  THIRD_PARTY,
} from '../../support/sandbox/clients.js';
import { anAliasLookup, aValidation, simulating, anAgreement } from '../../support/sandbox/requests.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

describe('what the provider may do to the services of a client: every move from every status, and nothing else', () => {
  const STATUSES = ['pending', 'active', 'suspended', 'off_boarded'] as const;
  type Status = (typeof STATUSES)[number];

  const POSSIBLE: Record<Status | 'null', readonly Status[]> = {
    null: [],
    pending: ['active', 'off_boarded'],
    active: ['suspended', 'off_boarded'],
    suspended: ['active', 'off_boarded'],
    off_boarded: [],
  };

  /** How to bring a service there. */
  const ROAD: Record<Status, readonly Status[]> = {
    pending: [],
    active: ['active'],
    suspended: ['active', 'suspended'],
    off_boarded: ['off_boarded'],
  };

  async function aClientWhosePayToIs(world: World, from: Status | 'null'): Promise<string> {
    if (from === 'null') return aRegisteredClient(world, { services: ['de'] });
    const id = await aRegisteredClient(world);
    for (const step of ROAD[from]) world.control.setClientService(id, 'payto', step);
    return id;
  }

  test.each(
    ([...STATUSES, 'null'] as const).flatMap((from) =>
      STATUSES.map((to) => ({ from, to, isPossible: POSSIBLE[from].includes(to) })),
    ),
  )('$from to $to: $isPossible', async ({ from, to, isPossible }) => {
    const world = await aWorld();
    const id = await aClientWhosePayToIs(world, from);
    const move = () => {
      world.control.setClientService(id, 'payto', to);
    };
    if (isPossible) move();
    else expect(move).toThrow(expect.objectContaining({ status: 409 }));
    const services = { payto: isPossible ? to : from === 'null' ? null : from };
    expect((await world.caller.get(`/clients/${id}`)).data['services']).toMatchObject(services);
  });

  test('what the page can offer is what is possible', () => {
    const services = { payto: 'active', rtp: null, de: 'off_boarded' } as const;
    expect(serviceMoves({ ...PRIMARY_CLIENT, services })).toEqual([
      { service: 'payto', status: 'suspended' },
      { service: 'payto', status: 'off_boarded' },
    ]);
  });

  test('a service approved early or off-boarded while pending is not touched when its minute is over', async () => {
    const world = await aWorld();
    const id = await aRegisteredClient(world, { services: ['payto', 'rtp'] });
    world.control.setClientService(id, 'payto', 'active');
    world.control.setClientService(id, 'payto', 'suspended');
    world.control.setClientService(id, 'rtp', 'off_boarded');
    await world.control.advance(3600);
    const { data } = await world.caller.get(`/clients/${id}`);
    expect(data['services']).toEqual({ payto: 'suspended', rtp: 'off_boarded', de: null });
  });

  test('an unknown client is 404, and a category that is no code 422', async () => {
    const { control } = await aWorld();
    expect(() => {
      control.setClientService('none', 'payto', 'active');
    }).toThrow(expect.objectContaining({ status: 404 }));
    expect(() => {
      control.setMerchantCategory('none', '4900');
    }).toThrow(expect.objectContaining({ status: 404 }));
    expect(() => {
      control.setMerchantCategory('primary', 'gambling');
    }).toThrow(expect.objectContaining({ status: 422 }));
  });
});

describe('what the ledger tells of clients, counterparties and checks, who may ask for them, and what a restart keeps', () => {
  const verified = (uid: string) => aPaymentAccount({ uid, verification: THIRD_PARTY });

  const changes = ({ control }: Pick<World, 'control'>, type: string) =>
    control
      .ledger()
      .flatMap((entry) =>
        entry.kind === 'change' && entry.resource_type === type
          ? [{ uid: entry.resource_uid, from: entry.from, to: entry.to }]
          : [],
      );

  test('every step of a client stands there in order', async () => {
    const world = await aWorld();
    const uid = await aPayToClient(world);
    await world.caller.patch(`/clients/${uid}`, { legal_name: 'Gym Ltd' });
    for (const status of ['suspended', 'active', 'off_boarded'] as const) {
      world.control.setClientService(uid, 'payto', status);
    }
    world.control.setMerchantCategory(uid, '7995');
    expect(changes(world, 'client')).toEqual([
      { uid, from: null, to: 'registered' },
      { uid, from: null, to: 'payto:pending' },
      { uid, from: 'payto:pending', to: 'payto:active' },
      { uid, from: 'registered', to: 'updated' },
      { uid, from: 'payto:active', to: 'payto:suspended' },
      { uid, from: 'payto:suspended', to: 'payto:active' },
      { uid, from: 'payto:active', to: 'payto:off_boarded' },
      { uid, from: 'risk:low', to: 'risk:high' },
    ]);
  });

  test('a counterparty and a validation stand there by their ids', async () => {
    const world = await aWorld();
    const { data } = await world.caller.post('/counterparties', aCounterparty());
    const [match, unknown] = [aValidation(), aValidation(simulating('no_account_found'))];
    for (const request of [match, unknown]) await world.caller.post('/cop/account/validate', request);
    expect(changes(world, 'counterparty')).toEqual([{ uid: data.id, from: null, to: 'registered' }]);
    expect(changes(world, 'account_validation')).toEqual([
      { uid: match.uid, from: null, to: 'match' },
      { uid: unknown.uid, from: null, to: 'ZCOPR02' },
    ]);
  });

  test('neither names, numbers, accounts nor addresses stand there', async () => {
    const world = await aWorld();
    await aPayToClient(world, { contact_information: { contact_name: 'Ann Able', phone: '+61 2 5550' } });
    await world.caller.post('/counterparties', aCounterparty());
    await world.caller.post('/payto/alias_resolution', anAliasLookup());
    await world.caller.post('/cop/account/validate', aValidation());
    const ledger = JSON.stringify(world.control.ledger());
    const personal = [
      'Corner Gym',
      '11222333444',
      'Ann Able',
      '5550',
      'A Payer',
      '12340001',
      'payer@',
      '192.0.2.7',
    ];
    for (const text of [...personal, 'user-7', 'IC-77']) expect(ledger).not.toContain(text);
  });

  test.each([
    ['post', '/clients', 'clients', aClient()],
    ['get', '/clients', 'clients', null],
    ['get', '/clients/none', 'clients', null],
    ['patch', '/clients/none', 'clients', {}],
    ['post', '/counterparties', 'counterparties', aCounterparty()],
    ['post', '/payto/alias_resolution', 'pay_to_aliases', anAliasLookup()],
    ['post', '/cop/account/validate', 'cop_account_validations', aValidation()],
  ] as const)('%s %s is 403 without the scope %s', async (method, path, scope, body) => {
    const { url, control } = await aWorld();
    const caller = callerWith(url, (await consent(url, 'public pay_to_agreements')).access);
    const answer = method === 'get' ? await caller.get(path) : await caller[method](path, body);
    expect([answer.status, answer.errors]).toEqual([403, []]);
    expect(answer.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    expect(control.ledger().filter(({ kind }) => kind === 'change')).toEqual([]);
  });

  test('a 500 after the commit leaves the client registered, one before it does not', async () => {
    const { caller, control } = await aWorld();
    control.addFault({ on: 'create_client', do: 'error_500_before', times: 1 });
    expect((await caller.post('/clients', aClient())).status).toBe(500);
    expect((await caller.get('/clients')).list).toEqual([]);
    control.addFault({ on: 'create_client', do: 'error_500_after_commit', times: 1 });
    expect((await caller.post('/clients', aClient())).status).toBe(500);
    expect((await caller.get('/clients')).list).toHaveLength(1);
  });

  test('clients, accounts, limits and uids survive a restart, and a pending service still becomes active', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const options = { dataFile: join(directory, 'sandbox.json'), webhookUrl: 'http://127.0.0.1:1/' };
    const first = await startSandbox(options);
    const { access } = await consent(first.url);
    const before = callerWith(first.url, access);
    first.control.setLimits({ alias_lookups_per_requester_per_day: 1 });
    first.control.setMerchantCategory('primary', '7995');
    const id = await aRegisteredClient({ caller: before });
    await before.post('/counterparties', aCounterparty({ payment_accounts: [verified('kept')] }));
    const validation = aValidation();
    await before.post('/cop/account/validate', validation);
    await before.post('/payto/alias_resolution', anAliasLookup());
    await first.close();

    const second = await startSandbox(options);
    onTestFinished(() => second.close());
    const after = callerWith(second.url, access);
    expect((await after.get(`/clients/${id}`)).data['services']).toMatchObject({ payto: 'pending' });
    await second.control.advance(60);
    expect((await after.get(`/clients/${id}`)).data['services']).toMatchObject({ payto: 'active' });
    const unverified = { payment_accounts: [aPaymentAccount()] };
    const taken = aCounterparty({ payment_accounts: [verified('kept')] });
    const repeated = [
      await after.post('/counterparties', unverified),
      await after.post('/counterparties', taken),
      await after.post('/cop/account/validate', validation),
      await after.post('/payto/alias_resolution', anAliasLookup()),
    ];
    expect(repeated.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    const initiated = await after.post('/payto/agreements', anAgreement({ initiator: { client_id: id } }));
    expect([initiated.status, initiated.data['initiator']]).toMatchObject([201, { abn: '11222333444' }]);
  });
});
