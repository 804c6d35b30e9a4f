// The entries, cases and totals of a float account equal the provider's ledger.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { anAccount, credit, fetchReports, readAgain, paidInto } from '../support/float-road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { asked, onASweptRoad, sweepOnce } from '../support/sweeping.js';

const temporal = useTemporal();

test('a float account is found by a sweep, and each of its entries is stored once and shown', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { road } = swept;
    const account = anAccount(swept);
    for (const amount of [100, 250]) await credit(swept, account, amount);
    const { floatAccounts } = await sweepOnce(swept);
    expect(floatAccounts).toMatchObject({ listed: 2 });
    const path = `/v1/float-accounts/${account.id}`;
    const shown = async () => (await road.get(path)).body;
    await eventually(shown, ({ state }) => state === 'followed');
    expect(await shown()).toMatchObject({
      ...{ uid: account.id, connection: swept.connection, balance: 350, entry_count: 2 },
      ...{ title: 'Sandbox Biller float account', chain_breaks: [], attention: [] },
    });

    await credit(swept, account, 50);
    await readAgain(swept, account);
    await eventually(shown, ({ balance }) => balance === 400);
    const entries = async (query: string) => (await road.get(`${path}/entries?${query}`)).body;
    expect(await entries('amount_min=100&type=credit')).toMatchObject({
      data: [
        { amount: 250, balance_after: 350, description: 'Rent of Mary' },
        { amount: 100, balance_after: 100 },
      ],
    });
    expect(await entries('type=debit')).toMatchObject({ data: [], links: {} });
    const first = await entries('per_page=2');
    expect(first).toMatchObject({ data: [{ amount: 50 }, { amount: 250 }] });
    expect(asked(swept, 'list_float_entries')).toBeLessThan(12);
    expect((await road.get(`/v1/float-accounts/${randomUUID()}`)).status).toBe(404);
  });
});

test('a credit becomes a case by its notification or by its entry, and an operator decides it once', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { road } = swept;
    const { control } = road.sandbox;
    const account = anAccount(swept);
    await sweepOnce(swept);
    const path = `/v1/float-accounts/${account.id}`;
    await eventually(
      async () => (await road.get(path)).body,
      ({ state }) => state === 'followed',
    );
    await credit(swept, account, 300, 'Rent of Mary');
    control.clearFaults();
    const [paid = ''] = await paidInto(swept, account, [700]);
    await credit(swept, account, 700, paid);
    const cases = async () => listOf((await road.get('/v1/unmatched-credits?sort=-amount')).body);
    const ours = async () => (await cases()).filter((one) => one['float_account'] === account.id);
    await eventually(ours, (found) => found.filter(({ state }) => state === 'open').length === 2);
    const [big, small] = await ours();
    expect(big).toMatchObject({
      ...{ amount: 700, connection: swept.connection, authenticated: true },
      debtor: { party_name: 'Simulated Debtor', reference: paid },
    });
    expect(small).toMatchObject({ amount: 300, debtor: null });
    const casePath = `/v1/unmatched-credits/${String(big?.['uid'])}`;
    expect((await road.get(casePath)).body).toMatchObject({
      candidates: [{ kind: 'payment', uid: paid, reasons: ['uid', 'amount', 'time'] }],
    });

    const resolve = (body: object) => road.post(`${casePath}/resolution`, body);
    const reason = 'Paid twice by transfer.';
    expect((await resolve({ decision: 'matched', reason })).status).toBe(400);
    expect((await resolve({ decision: 'matched', payment_uid: 'none', reason })).status).toBe(422);
    const matched = { decision: 'matched', payment_uid: paid, reason };
    expect((await resolve(matched)).body).toMatchObject({
      ...{ state: 'matched', resolution: { payment: paid, reason, by: 'test' } },
    });
    expect((await resolve(matched)).status).toBe(200);
    expect(await resolve({ decision: 'kept', reason })).toMatchObject({
      ...{ status: 409, body: { code: 'credit_resolved' } },
    });
    const entries = async (query: string) => listOf((await road.get(`${path}/entries?${query}`)).body);
    await eventually(
      () => entries('matched=true'),
      (found) => found.length === 2,
    );
    expect(await entries('matched=true')).toMatchObject([
      { payment: null, case: big?.['uid'], case_state: 'matched' },
      { payment: paid, case: null, case_state: null },
    ]);
    expect(await entries('matched=false')).toMatchObject([{ amount: 300, case_state: 'open' }]);
    const events = async (uid: unknown) =>
      (await temporal.client.workflow.getHandle(`unmatched-credit/${String(uid)}`).describe()).historyLength;
    expect(await events(big?.['uid'])).toBeLessThanOrEqual(30);
  });
});

test('a credit whose notification has another id than its entry is one case', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { road } = swept;
    const account = anAccount(swept);
    await sweepOnce(swept);
    await eventually(
      async () => (await road.get(`/v1/float-accounts/${account.id}`)).body,
      ({ state }) => state === 'followed',
    );
    road.sandbox.control.clearFaults();
    const transaction_id = randomUUID();
    const words = { payment_reference: 'INV-0070', payment_description: 'Rent inv 70' };
    road.sandbox.control.receiveCredit(account.id, { amount: 4321, ...words, transaction_id });
    const ours = async () =>
      listOf((await road.get('/v1/unmatched-credits?per_page=200')).body).filter(
        (one) => one['float_account'] === account.id,
      );
    // The entry may have started a case before the notification arrived, which then has joined it.
    const left = async () => (await ours()).filter(({ state }) => state !== 'joined');
    const isOne = (found: Record<string, unknown>[]) =>
      found.length === 1 && found[0]?.['state'] === 'open' && found[0]['debtor'] !== null;
    const [found] = await eventually(left, isOne);
    expect(found).toMatchObject({ amount: 4321, debtor: { reference: 'INV-0070' } });
    expect(found?.['entry']).not.toBe(transaction_id);
  });
});

test('a day is reconciled with its report, and its statement adds up', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { road } = swept;
    const { control } = road.sandbox;
    control.setClock(new Date(Date.now() - 5 * 24 * 3_600_000).toISOString());
    control.clearFaults();
    const account = anAccount(swept);
    await sweepOnce(swept);
    const [first = '', second = ''] = await paidInto(swept, account, [500, 200]);
    control.omitFromReport(second, { omitted: true });
    const path = `/v1/float-accounts/${account.id}`;
    await readAgain(swept, account);
    await eventually(
      async () => (await road.get(path)).body,
      ({ balance }) => balance === 700,
    );
    const [{ at } = { at: '' }] = listOf((await road.get(`${path}/entries`)).body) as { at: string }[];
    const day = sydneyDayOf(at);
    const reconcile = async () =>
      (await road.get(`/v1/reconciliation/${day}?connection=${swept.connection}`)).body;
    expect(await reconcile()).toMatchObject({
      reports: [{ state: 'late' }],
      payments: { settled: { count: 2, amount: 700 }, reported: { count: 0 } },
      exceptions: [],
    });
    const fetched = await fetchReports(swept);
    expect(fetched.days).toContainEqual({ day, found: 'stored', stored: 'new' });
    expect((await fetchReports(swept)).days.filter((one) => one.day === day)).toEqual([]);
    expect(await reconcile()).toMatchObject({
      reports: [{ state: 'stored', line_count: 1 }],
      payments: {
        ...{ settled: { count: 2, amount: 700 }, reported: { count: 1, amount: 500 } },
        ...{ agreeing: { count: 1, amount: 500 }, in_float: 2 },
      },
      float: { credits_matched: { count: 2, amount: 700 }, credits_unmatched: { count: 0 } },
      exceptions: [{ kind: 'missing_in_report', uid: second, our_amount: 200, float_amount: 200 }],
    });
    const statement = await road.get(`${path}/statements/${day}`);
    expect(statement.body).toMatchObject({
      ...{ opening: 0, closing: 700, credits: { count: 2, amount: 700 }, debits: { count: 0 } },
      ...{ matched: { count: 2 }, complete: true, chain_breaks: [] },
      entries: [{ payment: first }, { payment: second }],
    });
  });
});

test('any order, loss and repetition ends in the cases and totals of the provider’s ledger', async () => {
  const seed = 2;
  await onASweptRoad(temporal, async (swept) => {
    const { road, connection } = swept;
    const { control } = road.sandbox;
    control.setClock(new Date(Date.now() - 5 * 24 * 3_600_000).toISOString());
    control.setSeed(String(seed));
    control.clearFaults();
    const account = anAccount(swept);
    await sweepOnce(swept);
    const path = `/v1/float-accounts/${account.id}`;
    const read = async () => (await road.get(path)).body;
    await eventually(read, ({ state }) => state === 'followed');
    const about = { on: 'webhook', resource_uid: account.id } as const;
    for (const action of ['lose', 'repeat', 'reorder', 'stale_timestamp'] as const)
      control.addFault({ ...about, do: action, share: 0.3 });
    control.addFault({ on: 'list_float_entries', do: 'error_503', share: 0.2 });
    control.addFault({ on: 'download_settlement_report', do: 'error_503', times: 1 });
    const draw = drawsOf(seed);
    const credits: number[] = [];
    for (let step = 0; step < 8; step += 1) {
      for (let count = draw(3); count > 0; count -= 1) {
        credits.push(100 + draw(1000));
        await credit(swept, account, credits.at(-1) ?? 0, `credit ${step}`);
      }
      if (draw(2) === 0) await readAgain(swept, account);
    }
    const amounts = Array.from({ length: 4 }, () => 1 + draw(900));
    const paid = await paidInto(swept, account, amounts);
    const omitted = paid.filter((_, index) => index % 2 === seed % 2).toSorted();
    for (const uid of omitted) control.omitFromReport(uid, { omitted: true });
    await control.flushWebhooks();
    await Promise.all([fetchReports(swept), fetchReports(swept)]);
    await fetchReports(swept);
    control.clearFaults();
    await readAgain(swept, account);

    const moves = control
      .ledger(0, { kind: 'change', resource_uid: account.id })
      .flatMap((line) => (line.kind === 'change' ? [line] : []));
    const unmatched = moves.filter(({ event_id: id }) => id !== null).map(({ event_id: id }) => id);
    const cases = async () =>
      listOf((await road.get('/v1/unmatched-credits?per_page=200')).body).filter(
        (one) => one['float_account'] === account.id,
      );
    await eventually(
      cases,
      (found) => found.filter(({ state }) => state === 'open').length === unmatched.length,
    );
    expect((await cases()).map(({ uid }) => uid).toSorted()).toEqual(unmatched.toSorted());
    const balance = Number(moves.at(-1)?.to);
    await eventually(read, (shown) => shown['balance'] === balance);
    expect(await read()).toMatchObject({ balance, entry_count: moves.length, chain_breaks: [] });
    const day = sydneyDayOf(moves[0]?.at ?? '');
    const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
    expect((await road.get(`${path}/statements/${day}`)).body).toMatchObject({
      ...{ opening: 0, closing: balance, credits: { count: moves.length, amount: balance } },
      ...{ matched: { count: 4, amount: total(amounts) }, unmatched: { amount: total(credits) } },
    });
    const answer = (await road.get(`/v1/reconciliation/${day}?connection=${connection}`)).body;
    const { exceptions } = answer as unknown as { exceptions: { kind: string; uid: string }[] };
    expect(exceptions.map(({ kind, uid }) => `${kind} ${uid}`)).toEqual(
      omitted.map((uid) => `missing_in_report ${uid}`),
    );
    expect(answer).toMatchObject({
      payments: { settled: { count: 4 }, agreeing: { count: 4 - omitted.length } },
    });
  });
});

function drawsOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const listOf = (body: unknown) => (body as { data: Record<string, unknown>[] }).data;
