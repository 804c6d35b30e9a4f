// The float account takes only its own money, and lists its entries by time for 24 months.
import { expect, test, describe } from 'vitest';
import type { Answer } from '../../support/sandbox/caller.js';
import {
  ADHOC,
  anEndedPayment,
  CREDITOR,
  FLOAT_ID,
  at,
  DAY_SECONDS,
  later,
  plusDays,
  sydneyMs,
  today,
} from '../../support/sandbox/payments.js';
import { anIncomingCredit } from '../../support/sandbox/requests.js';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

describe('float account', () => {
  const ENTRIES = `/bank_accounts/${FLOAT_ID}/entries`;

  test('refuses money if it is unknown or removed', async () => {
    const { caller, control } = await aWorld();
    const credit = async (overrides = {}) =>
      (await caller.post('/simulate/incoming_npp_bban_payment', anIncomingCredit(overrides))).status;
    expect(await credit({ to_account_number: '55550002' })).toBe(400);
    control.patchFloatAccount(FLOAT_ID, { status: 'removed' });
    expect(await credit()).toBe(400);
    expect((await caller.get(ENTRIES)).list).toEqual([]);
  });

  test('ignores payments to other accounts', async () => {
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
});

describe('float account entries', () => {
  const ENTRIES = `/bank_accounts/${FLOAT_ID}/entries`;

  const list = ({ caller }: World, query: Record<string, string> = {}): Promise<Answer> =>
    caller.get(`${ENTRIES}?${new URLSearchParams(query).toString()}`);
  const amountsOf = (answer: Answer): unknown[] => answer.list.map(({ amount }) => amount);

  async function credit({ caller }: World, amount: number): Promise<void> {
    const { status } = await caller.post('/simulate/incoming_npp_bban_payment', anIncomingCredit({ amount }));
    expect(status).toBe(201);
  }

  test('of the same time are ordered by id', async () => {
    standStill();
    const world = await aWorld();
    for (let available_balance = 1; available_balance <= 20; available_balance += 1) {
      world.control.patchFloatAccount(FLOAT_ID, { available_balance });
    }
    const { list: entries } = await list(world, { per_page: '100' });
    const times = entries.map((entry) => String(entry['created_at']));
    expect([entries.length, new Set(times).size]).toEqual([20, 1]);
    const keys = entries.map(({ id }, index) => `${times[index]} ${id}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
  });

  test('are filtered by inclusive timestamps, in Sydney time without a zone', async () => {
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

  test('are listed for 24 months while the balance remains', async () => {
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
