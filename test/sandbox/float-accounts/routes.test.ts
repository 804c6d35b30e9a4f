// A float account: how it reads, what settles into it, and its entries as a list.
import { expect, test, describe } from 'vitest';
import { consent, type Answer } from '../../support/sandbox/caller.js';
import {
  ADHOC,
  anEndedPayment,
  CREDITOR,
  FLOAT_ID,
  at,
  DAY_SECONDS,
  later,
  nowMs,
  plusDays,
  sydneyMs,
  today,
} from '../../support/sandbox/payments.js';
import { anIncomingCredit } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

describe('A float account: how it reads, what settles into it, and that it begins anew with each store', () => {
  const ENTRIES = `/bank_accounts/${FLOAT_ID}/entries`;
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

  test('one float account is there from the beginning, with the documented fields and nothing else', async () => {
    const { caller } = await aWorld();
    const { status, data } = await caller.get(`/bank_accounts/${FLOAT_ID}`);
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(UUID) as string,
      account_type: 'float_account',
      branch_code: '200002',
      bank_name: 'Sandbox Bank',
      account_number: '55550001',
      status: 'active',
      title: 'Sandbox Biller float account',
      available_balance: 0,
      payid_configs: [
        {
          email_domain: 'pay.biller.example',
          pooling_state: 'disabled',
          max_pool_size: 0,
          current_pool_size: 0,
        },
      ],
    });
  });

  test('a settled payment credits the account of its creditor: entry, balance and ledger agree', async () => {
    const world = await aWorld();
    const uid = await anEndedPayment(world, await anActiveAgreement(world), { amount: 4200 });
    const { data: account } = await world.caller.get(`/bank_accounts/${FLOAT_ID}`);
    expect(account['available_balance']).toBe(4200);
    const { list } = await world.caller.get(ENTRIES);
    expect(list).toEqual([
      {
        id: expect.stringMatching(UUID) as string,
        created_at: expect.stringMatching(/Z$/) as string,
        description: `PayTo payment ${uid}`,
        amount: 4200,
        available_balance_after: 4200,
        links: { self: `${world.url}${ENTRIES}/${list[0]?.id}` },
      },
    ]);
    expect((await world.caller.get(`${ENTRIES}/${list[0]?.id}`)).data).toEqual(list[0]);
    expect(
      world.control.ledger().filter((it) => it.kind === 'change' && it.resource_uid === FLOAT_ID),
    ).toEqual([
      expect.objectContaining({ resource_type: 'float_account', from: '0', to: '4200', event_id: null }),
    ]);
  });

  test.each(['insufficient_funds', 'requires_investigation'])('%s moves no money', async (simulate) => {
    const world = await aWorld();
    await anEndedPayment(world, await anActiveAgreement(world), { sandbox: { simulate } });
    expect((await world.caller.get(ENTRIES)).list).toEqual([]);
  });

  test('money for another account is none of this one', async () => {
    const world = await aWorld();
    const agreementUid = await anActiveAgreement(world, { ...ADHOC, creditor: null });
    for (const account_identifier of [
      { type: 'bban', value: '200002-55550002' },
      { type: 'alias_email', value: 'invoices@pay.biller.example' },
    ]) {
      await anEndedPayment(world, agreementUid, { creditor: { ...CREDITOR, account_identifier } });
    }
    expect(world.control.state().payments.map(({ state }) => state)).toEqual(['settled', 'settled']);
    expect((await world.caller.get(ENTRIES)).list).toEqual([]);
  });

  test('the control route sets balance and status; a new balance is an entry like any other', async () => {
    const { caller, control } = await aWorld();
    control.patchFloatAccount(FLOAT_ID, { available_balance: 900 });
    control.patchFloatAccount(FLOAT_ID, { available_balance: 400, status: 'removed' });
    control.patchFloatAccount(FLOAT_ID, { available_balance: 400 });
    expect((await caller.get(`/bank_accounts/${FLOAT_ID}`)).data).toMatchObject({
      status: 'removed',
      available_balance: 400,
    });
    const amounts = (await caller.get(ENTRIES)).list.map(({ amount }) => amount);
    expect(amounts.toSorted()).toEqual([-500, 900]);
    const lines = control.ledger(0, { resource_uid: FLOAT_ID, kind: 'change' });
    expect(lines.flatMap((line) => (line.kind === 'change' ? [[line.from, line.to]] : []))).toEqual([
      ['0', '900'],
      ['active', 'removed'],
      ['900', '400'],
    ]);
    expect(() => {
      control.patchFloatAccount('none', {});
    }).toThrow(/none/);
  });

  test('a reset brings the account back as it was', async () => {
    const world = await aWorld();
    world.control.patchFloatAccount(FLOAT_ID, { available_balance: 900, status: 'removed' });
    world.control.reset();
    const caller = await world.newCaller();
    expect((await caller.get(`/bank_accounts/${FLOAT_ID}`)).data).toMatchObject({
      status: 'active',
      available_balance: 0,
    });
    expect((await caller.get(ENTRIES)).list).toEqual([]);
  });

  test.each([
    ['/bank_accounts/none'],
    ['/bank_accounts/none/entries'],
    [`${ENTRIES}/none`],
    [`/bank_accounts/none/entries/none`],
  ])('%s is 404, in a sentence', async (path) => {
    const { caller } = await aWorld();
    const { status, sentence } = await caller.get(path);
    expect(status).toBe(404);
    expect(sentence).toMatch(/none/);
  });
});

describe('float entries as a list: order, pages by header, filters on instants, and how far back they go', () => {
  const ENTRIES = `/bank_accounts/${FLOAT_ID}/entries`;

  const list = ({ caller }: World, query: Record<string, string> = {}): Promise<Answer> =>
    caller.get(`${ENTRIES}?${new URLSearchParams(query).toString()}`);
  const amountsOf = (answer: Answer): unknown[] => answer.list.map(({ amount }) => amount);

  async function credit({ caller }: World, amount: number): Promise<void> {
    const { status } = await caller.post('/simulate/incoming_npp_bban_payment', anIncomingCredit({ amount }));
    expect(status).toBe(201);
  }

  /** Credits of 1, 2, 3 … cents, a second apart. */
  async function aWorldWithCredits(count: number): Promise<World> {
    const world = await aWorld();
    for (let amount = 1; amount <= count; amount += 1) {
      await credit(world, amount);
      await world.control.advance(1);
    }
    return world;
  }

  test('newest first; the body is data alone, the page size a header, and no Link on the last page', async () => {
    const world = await aWorldWithCredits(3);
    const answer = await list(world);
    expect(amountsOf(answer)).toEqual([3, 2, 1]);
    expect([answer.headers.get('Per-Page'), answer.headers.get('Link')]).toEqual(['20', null]);
    const { access } = await consent(world.url, 'bank_accounts');
    const response = await fetch(`${world.url}${ENTRIES}`, {
      headers: { authorization: `Bearer ${access}` },
    });
    expect(await response.json()).toEqual({ data: answer.list });
  });

  test('Link leads over all pages, filters kept, each entry once', async () => {
    const world = await aWorldWithCredits(5);
    const min_created_date = new Date(nowMs(world) - 60_000).toISOString();
    const met = [];
    let next: string | undefined =
      `${ENTRIES}?${new URLSearchParams({ per_page: '2', min_created_date }).toString()}`;
    while (next !== undefined) {
      const page: Answer = await world.caller.get(next);
      expect(page.headers.get('Per-Page')).toBe('2');
      met.push(amountsOf(page));
      const link = page.headers.get('Link');
      const target = /^<(.*)>; rel="next"$/.exec(link ?? '')?.[1];
      expect(target === undefined).toBe(link === null);
      expect(target ?? world.url).toContain(world.url);
      next = target?.slice(world.url.length);
    }
    expect(met).toEqual([[5, 4], [3, 2], [1]]);
  });

  test('starting_after takes the id of an entry, filtered away or not', async () => {
    const world = await aWorldWithCredits(3);
    const { list: entries } = await list(world);
    const [newest, middle] = entries.map(({ id }) => String(id));
    expect(amountsOf(await list(world, { starting_after: newest ?? '' }))).toEqual([2, 1]);
    const max_created_date = String(entries[2]?.['created_at']);
    expect(amountsOf(await list(world, { starting_after: middle ?? '', max_created_date }))).toEqual([1]);
  });

  test('entries of one instant are ordered by id, not by balance', async () => {
    const world = await aWorld();
    for (let available_balance = 1; available_balance <= 100; available_balance += 1) {
      world.control.patchFloatAccount(FLOAT_ID, { available_balance });
    }
    const { list: entries } = await list(world, { per_page: '100' });
    const times = entries.map((entry) => String(entry['created_at']));
    expect(new Set(times).size).toBeLessThan(100);
    const keys = entries.map(({ id }, index) => `${times[index]} ${id}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
  });

  test('filters are instants, both included; without a zone they are Sydney’s time of day', async () => {
    let world = await aWorld();
    const day = plusDays(today(world), 1);
    for (const [amount, time] of [
      [1, '09:00'],
      [2, '10:00'],
      [3, '11:00'],
    ] as const) {
      world = await at(world, sydneyMs(day, time));
      await credit(world, amount);
    }
    const between = async (min_created_date: string, max_created_date: string) =>
      amountsOf(await list(world, { min_created_date, max_created_date }));
    const utc = (time: string): string => new Date(sydneyMs(day, time)).toISOString();
    expect(await between(utc('09:30'), utc('10:30'))).toEqual([2]);
    expect(await between(`${day}T09:30:00`, `${day}T10:30:00`)).toEqual([2]);
    expect(await between(`${day}T08:59:00`, `${day}T09:59:59`)).toEqual([1]);
    const exact = String((await list(world)).list[1]?.['created_at']);
    expect(await between(exact, exact)).toEqual([2]);
    const offset = exact.replace('Z', '+00:00');
    expect(await between(offset, offset)).toEqual([2]);
  });

  test.each([
    ['per_page', 'ten', 400],
    ['per_page', '2.5', 400],
    ['per_page', '', 400],
    ['per_page', '0', 422],
    ['per_page', '-1', 422],
    ['per_page', '101', 422],
    ['starting_after', 'none', 422],
    ['min_created_date', 'yesterday', 400],
    ['min_created_date', '2026-10-01', 400],
    ['max_created_date', '2026-13-01T00:00:00Z', 400],
    ['min_created_date', '2001-01-01T00:00:00Z', 422],
    ['max_created_date', '2001-01-01T00:00:00Z', 422],
    ['page', '2', 400],
  ])('%s=%s is %i', async (name, value, status) => {
    expect((await list(await aWorld(), { [name]: value })).status).toBe(status);
  });

  test.each(['1', '100'])('per_page=%s is taken', async (per_page) => {
    const answer = await list(await aWorld(), { per_page });
    expect([answer.status, answer.headers.get('Per-Page')]).toEqual([200, per_page]);
  });

  test('entries are kept for 24 months: listed and found until then, the balance for ever', async () => {
    let world = await aWorld();
    await credit(world, 700);
    const [entry] = (await list(world)).list;
    world = await later(world, 365 * DAY_SECONDS);
    world = await later(world, 364 * DAY_SECONDS);
    expect(amountsOf(await list(world))).toEqual([700]);
    const min_created_date = String(entry?.['created_at']);
    expect((await list(world, { min_created_date })).status).toBe(200);
    world = await later(world, 3 * DAY_SECONDS);
    expect(amountsOf(await list(world))).toEqual([]);
    expect((await world.caller.get(`${ENTRIES}/${entry?.id}`)).status).toBe(404);
    expect((await list(world, { min_created_date })).status).toBe(422);
    expect((await world.caller.get(`/bank_accounts/${FLOAT_ID}`)).data['available_balance']).toBe(700);
  });
});
