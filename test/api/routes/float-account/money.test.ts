import { describe, expect, test } from 'vitest';
import { createStatement } from '../../../../domain/float/statement.js';
import {
  whatToDo,
  type Compared,
  type ReconciliationException,
} from '../../../../domain/settlement/reconciliation.js';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { KEYS, anApi, get, post } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';
import type { StoredFloatEntry } from '../../../../domain/float/entries.js';

const refusing = anApi();

const entry = (id: string, amount: number, balanceAfter: number, description: string): StoredFloatEntry => ({
  ...{ id, at: '2026-10-03T14:30:00.000Z', amount, balanceAfter, description },
});
const ENTRIES = [
  { ...entry('e-1', 500, 500, '=1+1'), caseUid: 'n-1', caseState: 'open' },
  { ...entry('e-2', -20, 480, 'to 200001-12340001'), refundUid: 'ref-1' },
];
const asCsv = ({ app }: ReturnType<typeof anApi>, path: string, key: string = KEYS.all) =>
  app.request(path, { headers: { accept: 'text/csv', authorization: `Bearer ${key}` } });

function statementOf(entries: StoredFloatEntry[]) {
  const statement = createStatement([]);
  statement.add(entries);
  return { ...statement.end(), readAt: undefined };
}

describe('the statement of a day', () => {
  test.each([
    ['2026-10-03', '2026-10-02T14:00:00.000Z', '2026-10-03T14:00:00.000Z', 24],
    ['2026-10-04', '2026-10-03T14:00:00.000Z', '2026-10-04T13:00:00.000Z', 23],
    ['2027-04-04', '2027-04-03T13:00:00.000Z', '2027-04-04T14:00:00.000Z', 25],
  ])('of %s has the hours of Sydney’s clocks', async (day, from, until, hours) => {
    const api = anApi();
    const { door } = api;
    const answer = await get(api, `/v1/float-accounts/float-1/statements/${day}`);
    expect(await answer.json()).toMatchObject({ data: { day, from, until, opening: null } });
    expect(door.floatAccounts.statement).toHaveBeenCalledWith('float-1', { from, until });
    expect((Date.parse(until) - Date.parse(from)) / 3_600_000).toBe(hours);
  });

  test('is also CSV with both balances, in which no text is a formula', async () => {
    const api = anApi();
    const { door } = api;
    door.floatAccounts.statement.mockResolvedValue(statementOf(ENTRIES));
    door.floatAccounts.entries.mockResolvedValue(ENTRIES.toReversed());
    const answer = await asCsv(api, '/v1/float-accounts/float-1/statements/2026-10-04');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await answer.text()).trim().split('\r\n')).toEqual([
      'type,at,sydney_time,id,amount,balance_after,description,matched,payment,refund,case,case_state',
      'opening,2026-10-03T14:00:00.000Z,2026-10-04T00:00:00.000+10:00,,,0,,,,,,',
      `entry,2026-10-03T14:30:00.000Z,2026-10-04T00:30:00.000+10:00,e-1,500,500,'=1+1,false,,,n-1,open`,
      'entry,2026-10-03T14:30:00.000Z,2026-10-04T00:30:00.000+10:00,e-2,-20,480,to 200001-12340001,true,,ref-1,,',
      'closing,2026-10-04T13:00:00.000Z,2026-10-05T00:00:00.000+11:00,,,480,,,,,,',
      'end,4,,,,,,,,,,',
    ]);
  });

  test('has pages of entries, and the balances of the whole day on each', async () => {
    const api = anApi();
    const { statement, entries } = api.door.floatAccounts;
    statement.mockResolvedValue(statementOf(ENTRIES));
    entries.mockImplementation(({ filter: { ids = [] } }) =>
      Promise.resolve(ENTRIES.filter(({ id }) => ids.includes(id))),
    );
    const pages: string[] = [];
    let path: string | undefined = '/v1/float-accounts/float-1/statements/2026-10-04?per_page=1';
    while (path !== undefined) {
      const { data, links } = (await (await get(api, path)).json()) as {
        data: { entries: { id: string }[] };
        links: { next?: string };
      };
      expect(data).toMatchObject({ opening: 0, closing: 480, credits: { count: 1 }, debits: { count: 1 } });
      pages.push(...data.entries.map(({ id }) => id));
      path = links.next;
    }
    expect(pages).toEqual(['e-1', 'e-2']);
  });

  test.each([
    [undefined, false],
    ['2026-10-04T12:59:59.999Z', false],
    ['2026-10-04T13:00:00.000Z', true],
  ])('of an account that was last read at %s is complete: %s', async (readAt, complete) => {
    const api = anApi();
    api.door.floatAccounts.statement.mockResolvedValue({ ...statementOf([]), readAt });
    const answer = await get(api, '/v1/float-accounts/float-1/statements/2026-10-04');
    expect(await answer.json()).toMatchObject({ data: { complete, read_at: readAt ?? null } });
  });

  test('names the next business day', async () => {
    const answer = await get(anApi(), '/v1/float-accounts/float-1/statements/2026-12-24');
    expect(await answer.json()).toMatchObject({ data: { next_business_day: '2026-12-29' } });
  });

  test('of a day that is none is refused', async () => {
    for (const day of ['2026-02-30', 'today', '2026-10-4', '0000-01-01', '9999-12-31'])
      expect((await get(refusing, `/v1/float-accounts/float-1/statements/${day}`)).status).toBe(400);
  });
});

test('entries as CSV are all pages, masked for a key without the scope personal', async () => {
  const api = anApi();
  const { door } = api;
  const page = Array.from({ length: 500 }, (_, n) => entry(`e-${n}`, 1, n, 'to 200001-12340001'));
  door.floatAccounts.entries.mockResolvedValueOnce(page).mockResolvedValueOnce(ENTRIES);
  const answer = await asCsv(api, '/v1/float-accounts/float-1/entries?matched=true', KEYS.read);
  const rows = (await answer.text()).trim().split('\r\n');
  expect(rows).toHaveLength(504);
  expect(rows.at(-1)).toBe('end,502,,,,,,,,,');
  expect(rows[1]).toContain('to ************001');
  const [[first], [second]] = door.floatAccounts.entries.mock.calls as [[object], [object]];
  expect(first).toMatchObject({ filter: { isMatched: true }, before: undefined });
  expect(second).toMatchObject({ before: { id: 'e-499' } });
});

test('entries as CSV are cut off without a last row if the records fail', async () => {
  const api = anApi();
  const page = Array.from({ length: 500 }, (_, n) => entry(`e-${n}`, 1, n, 'x'));
  api.door.floatAccounts.entries.mockResolvedValueOnce(page).mockRejectedValueOnce(new Error('timeout'));
  const answer = await asCsv(api, '/v1/float-accounts/float-1/entries');
  await expect(answer.text()).rejects.toThrow('timeout');
});

test('a reading is requested with a reason, and shown until it ends', async () => {
  const api = anApi();
  const path = '/v1/float-accounts/float-1/reading';
  const answer = await post(api, path, { from: '2026-10-01T00:00:00Z', reason: 'Case 7.' });
  expect([answer.status, await answer.json()]).toMatchObject([
    202,
    { data: { chain: 'whole', reading: { from: '2026-10-01T00:00:00.000Z' } } },
  ]);
  expect(api.door.floatAccounts.requestReading).toHaveBeenCalledWith(
    'float-1',
    expect.objectContaining({ from: '2026-10-01T00:00:00.000Z', reason: 'Case 7.' }),
  );
  expect((await post(api, path, {})).status).toBe(400);
});

describe('an unmatched credit', () => {
  const path = '/v1/unmatched-credits/credit-1';

  test('is masked, and is shown without candidates while the records are away', async () => {
    const api = anApi();
    const { door } = api;
    door.unmatchedCredits.candidates.mockRejectedValue(new ApiError('records_unavailable', 'away'));
    const read = await get(api, path, KEYS.read);
    expect(await read.json()).toMatchObject({
      data: {
        ...{ amount: 700, candidates: null },
        debtor: { party_name: 'Mary Payer', account_identifier: { value: '************001' } },
      },
    });
    const whole = await get(api, path, KEYS.readPersonal);
    expect(await whole.json()).toMatchObject({
      data: { debtor: { account_identifier: { value: '200001-12340001' } } },
    });
  });

  test.each([
    ['matched without a match', { decision: 'matched' }],
    ['matched twice', { decision: 'matched', payment_uid: 'pay-1', agreement_uid: 'agr-1' }],
    ['kept with a match', { decision: 'kept', payment_uid: 'pay-1' }],
    ['an unknown decision', { decision: 'spent' }],
    ['no reason', { decision: 'kept', reason: '' }],
    ['an unknown field', { decision: 'kept', amount: 5 }],
  ])('is not resolved by %s', async (_, body) => {
    const { door } = refusing;
    const answer = await post(refusing, `${path}/resolution`, { reason: 'Because.', ...body });
    expect((await problemIn(answer)).status).toBe(400);
    expect(door.unmatchedCredits.resolve).not.toHaveBeenCalled();
  });

  test('is matched only to what belongs to its connection', async () => {
    const api = anApi();
    const { door } = api;
    const resolve = (body: object) =>
      post(api, `${path}/resolution`, { decision: 'matched', reason: 'Because.', ...body });
    door.payments.view.mockResolvedValueOnce(undefined);
    const unknown = await problemIn(await resolve({ payment_uid: 'pay-9' }));
    expect(unknown).toMatchObject({ code: 'no_such_match', errors: [{ pointer: '/payment_uid' }] });
    expect((await resolve({ payment_uid: 'pay-1' })).status).toBe(200);
    expect((await resolve({ agreement_uid: 'agr-1' })).status).toBe(200);
    const [, given] = door.unmatchedCredits.resolve.mock.lastCall ?? [];
    expect(given).toMatchObject({ agreementUid: 'agr-1', reason: 'Because.' });
  });
});

test('a notification is acknowledged by its id, whose slash is encoded', async () => {
  const api = anApi();
  const { door } = api;
  const listed = await get(api, '/v1/notifications?state=open');
  expect(await listed.json()).toMatchObject({ data: [], links: {} });
  const got = (await (await get(api, '/v1/notifications/unknown%2F1')).json()) as {
    data: { links: { acknowledgement: string } };
  };
  expect(got).toMatchObject({ data: { id: 'unknown/1', state: 'open' } });
  const answer = await post(api, got.data.links.acknowledgement, { reason: 'Read.' });
  expect(await answer.json()).toMatchObject({ data: { acknowledgement: { reason: 'Read.' } } });
  expect(door.notifications.acknowledge).toHaveBeenCalledWith(
    'unknown/1',
    expect.objectContaining({ reason: 'Read.' }),
  );
});

test('a reconciliation names the next business day, and what to do about each exception', async () => {
  const api = anApi();
  const { door } = api;
  const exception: ReconciliationException = {
    ...{ kind: 'unknown_here', connectionId: 'acme', resource: 'payment', uid: 'pay-9', line: 3 },
    ...{ settledAt: undefined, floatAmount: undefined, settledAmount: undefined, reportedAmount: 500 },
    otherConnectionId: undefined,
  };
  const compared: Compared = {
    ...{ comparison: 'unknown_here', resource: 'payment', count: 1, inFloat: 0 },
    ...{ settled: { count: 0, amount: 0 }, reported: { count: 1, amount: 500 } },
  };
  door.settlement.reconcile.mockResolvedValue({
    ...{ from: '2026-12-23T13:00:00.000Z', until: '2026-12-24T13:00:00.000Z', float: [], reports: [] },
    ...{ compared: [compared], exceptions: [exception] },
  });
  const answer = await get(api, '/v1/reconciliation/2026-12-24?connection=acme');
  expect(await answer.json()).toMatchObject({
    data: {
      ...{ day: '2026-12-24', next_business_day: '2026-12-29' },
      payments: { settled: { count: 0 }, reported: { count: 1, amount: 500 } },
      exception_counts: [{ kind: 'unknown_here', resource: 'payment', count: 1 }],
      exceptions: [
        {
          uid: 'pay-9',
          report_amount: 500,
          our_amount: null,
          what_to_do: whatToDo(exception),
        },
      ],
    },
  });
});
