import { describe, expect, test } from 'vitest';
import { aCounterpartyOrder, anAccountOrder, failure, refusalIn } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';
import type { Verified } from '../../../domain/counterparty/verification.js';
import type { ChangeRequest } from '../../../workflows/counterparty/contract.js';

const word = (decision: 'adopt' | 'close'): AttentionResolution => ({
  key: `key-${decision}`,
  code: 'parked',
  reason: 'asked them',
  by: 'ops',
  decision,
});
const change = (over: Partial<ChangeRequest> = {}): ChangeRequest => ({
  kind: over.to === undefined ? 'acceptance' : 'correction',
  accountUid: 'acc-1',
  reason: 'asked them',
  by: 'ops',
  use: { key: `key-${JSON.stringify(over)}`, uid: 'u', body: 'b' },
  ...over,
});
const refusalOf = async (work: Promise<unknown>) => refusalIn(await work.catch((error: unknown) => error));

type Said = Verified | Error;
const EVIDENCE = {
  method: 'third_party_provider',
  provider_name: 'IDCo',
  reference: 'r-1',
  verified_at: '2026-10-03T02:00:00Z',
} as const;
const PAYER = { requester_id: 'me', remote_ip: '203.0.113.7' };

function aScene(said: Said[] = [], given: Partial<Activities> = {}, refusals: Error[] = []) {
  const asked: Parameters<Activities['verifyAccount']>[0][] = [];
  const sent: Parameters<Activities['createCounterparty']>[0][] = [];
  const scene = inVirtualTime({
    verifyAccount: (args) => {
      asked.push(args);
      const now = said[Math.min(asked.length, said.length) - 1] ?? { outcome: 'match' };
      return now instanceof Error
        ? Promise.reject(now)
        : Promise.resolve({ reference: args.reference, ...now });
    },
    createCounterparty: (args) => {
      sent.push(args);
      const refusal = refusals.shift();
      if (refusal !== undefined) return Promise.reject(refusal);
      const accountUids = args.registration.payment_accounts.map(({ uid }) => uid);
      const snapshot = { uid: args.uid, state: 'registered', counterpartyId: 'cp-9', accountUids };
      return Promise.resolve({ fetchedAt: '2026-11-01T00:00:00.000Z', snapshot, history: [] });
    },
    ...given,
  });
  return { ...scene, asked, sent };
}

describe('counterparty', () => {
  test('is registered once if the account name matches and its workflow stays open', async () => {
    const scene = aScene();
    const one = await scene.counterparty({ payer: PAYER });
    expect(one.view()).toMatchObject({
      state: 'registered',
      counterpartyId: 'cp-9',
      submissions: 1,
      accounts: [{ uid: 'acc-1', isCleared: true, checked: { outcome: 'match', reference: 'acc-1-1' } }],
      awaiting: { what: 'nothing' },
      attention: [],
    });
    expect(one.state().payer).toBeUndefined();
    await scene.pass(30 * DAY);
    await one.growLong();
    expect([one.isOver(), one.view().state, one.runs()]).toEqual([false, 'registered', 2]);
    expect([scene.asked.length, scene.sent.length]).toEqual([1, 1]);
  });

  test('is sent at once if no account needs verification', async () => {
    const scene = aScene();
    const order = aCounterpartyOrder(anAccountOrder('a', { verification: undefined }));
    expect((await scene.counterparty({ order })).view()).toMatchObject({ state: 'registered' });
    expect(scene.asked).toEqual([]);
  });

  test('stores account uids that the provider assigned', async () => {
    const fetchedAt = '2026-11-01T00:00:00.000Z';
    const scene = aScene([], {
      createCounterparty: ({ uid }) =>
        Promise.resolve({
          fetchedAt,
          snapshot: { uid, state: 'registered', accountUids: ['theirs'] },
          history: [],
        }),
    });
    expect((await scene.counterparty()).view()).toMatchObject({ accounts: [{ uid: 'theirs' }] });
  });

  test('waits for missing consent and resumes after it is given', async () => {
    const scene = aScene([failure('forbidden'), { outcome: 'match' }]);
    const one = await scene.counterparty();
    expect(one.view()).toMatchObject({ state: 'verifying', awaiting: { what: 'reauthorisation' } });
    await scene.pass(DAY);
    await one.restored();
    expect(one.view().state).toBe('registered');
  });
});

describe('account that fails verification', () => {
  test.each<[string, Said, string]>([
    ['a different name', { outcome: 'no_match', result: 'no_match' }, 'Do not use this account'],
    ['a closed account', { outcome: 'account_closed' }, 'another account'],
    ['an unknown result', { outcome: 'undecided', result: 'nearly' }, 'documents'],
    ['an unknown account', failure('not_found', ['ZCOPR02'], 'account_unusable', 'Ask them.'), 'Ask them.'],
    ['an unknown PayID', failure('rejected', ['ZPADD01'], 'alias_unknown'), 'correct PayID'],
  ])('stops with advice and resumes after a correction: %s', async (_name, said, next) => {
    const scene = aScene([said, { outcome: 'match' }]);
    const one = await scene.counterparty();
    await scene.pass(3 * DAY);
    expect(one.view()).toMatchObject({
      state: 'unverified',
      awaiting: { what: 'operator' },
      attention: [{ code: 'parked' }],
    });
    expect(one.view().attention[0]?.next).toContain(next);
    expect([scene.asked.length, scene.sent.length]).toEqual([1, 0]);
    expect(await refusalOf(one.change(change()))).toBe('close_match_needed');
    expect(await refusalOf(one.resolve(word('adopt')))).toBe('decision_needed');
    await one.change(change({ to: { account_identifier: { type: 'bban', value: '200001-777' } } }));
    expect(one.view()).toMatchObject({
      state: 'registered',
      attention: [],
      changes: [{ kind: 'correction', by: 'ops', reason: 'asked them' }],
    });
    expect(scene.sent[0]?.registration.payment_accounts).toMatchObject([
      { account_identifier: { value: '200001-777' }, verification: { reference: 'acc-1-2' } },
    ]);
  });

  test('a close match waits for an acceptance, which counts once', async () => {
    const scene = aScene([{ outcome: 'close_match', name: 'ADA B PAYER' }]);
    const one = await scene.counterparty();
    expect(one.view()).toMatchObject({
      state: 'unverified',
      accounts: [{ checked: { name: 'ADA B PAYER' } }],
    });
    expect(one.details()).not.toContain('ADA');
    await one.change(change());
    await one.change(change());
    expect(one.view()).toMatchObject({ state: 'registered', changes: [{ kind: 'acceptance' }] });
    expect(await refusalOf(one.change(change({ use: { key: change().use.key, uid: 'u', body: 'x' } })))).toBe(
      'change_key_conflict',
    );
    expect(await refusalOf(one.change(change({ reason: 'again' })))).toBe('counterparty_sent');
    expect(scene.sent).toHaveLength(1);
  });

  test('all accounts are verified and nothing is sent until all are cleared', async () => {
    const scene = aScene([{ outcome: 'no_match' }, { outcome: 'match' }]);
    const order = aCounterpartyOrder(anAccountOrder('acc-1'), anAccountOrder('acc-2'));
    const one = await scene.counterparty({ order });
    expect(one.view().accounts).toMatchObject([{ isCleared: false }, { isCleared: true }]);
    expect(scene.sent).toEqual([]);
    expect(await refusalOf(one.change(change({ accountUid: 'acc-9' })))).toBe('no_such_payment_account');
    const wrong = { verification: { method: 'alias_resolution' } as const };
    expect(await refusalOf(one.change(change({ to: wrong })))).toBe('provider_would_refuse');
    await one.resolve(word('close'));
    expect(one.view()).toMatchObject({ state: 'failed', failure: { code: 'closed' } });
    expect(one.isOver()).toBe(true);
  });
});

describe('counterparty refused by the provider', () => {
  const account_identifier = { type: 'bban', value: '200001-777' } as const;
  const identity = { legal_name: 'Ada Payer', verification: EVIDENCE };
  const refusing = (...refusals: Error[]) => aScene([], {}, refusals);
  const REFUSED = failure('rejected', ['ZPUNP05'], 'account_unusable', 'Use another account.');

  test('waits for a correction and is then registered', async () => {
    const scene = refusing(REFUSED, failure('rejected', ['ZPUNP00'], 'invalid_request'));
    const one = await scene.counterparty();
    await scene.pass(DAY);
    expect(one.view()).toMatchObject({
      ...{ state: 'refused', failure: { code: 'ZPUNP05' }, awaiting: { what: 'operator' } },
      attention: [{ code: 'parked' }],
    });
    expect(one.view().attention[0]?.next).toContain('/correction');
    await one.change(change({ to: { account_identifier } }));
    expect(one.view()).toMatchObject({ state: 'refused', failure: { code: 'ZPUNP00' } });
    await one.change(change({ accountUid: undefined, to: { identity } }));
    expect(one.view()).toMatchObject({ state: 'registered', identity, attention: [], submissions: 1 });
    expect(scene.sent.map(({ registration }) => registration.payment_accounts[0]?.uid)).toEqual(
      Array(3).fill('acc-1'),
    );
    expect(scene.sent[2]?.registration).toMatchObject({
      identity,
      payment_accounts: [{ account_identifier }],
    });
  });

  test.each([
    ['adopt', 'registered', undefined, false],
    ['close', 'failed', 'ZPUNP05', true],
  ] as const)("follows the operator's decision: %s → %s", async (decision, state, code, isOver) => {
    const scene = refusing(REFUSED);
    const one = await scene.counterparty();
    await one.resolve(word(decision));
    await scene.pass(DAY);
    expect([one.view().state, one.view().failure?.code, one.isOver()]).toEqual([state, code, isOver]);
    expect(scene.sent).toHaveLength(1);
  });

  test('refuses evidence with a future date and accepts a withdrawal', async () => {
    const one = await refusing(REFUSED).counterparty();
    const late = { ...identity, verification: { ...EVIDENCE, verified_at: '2999-10-03T02:00:00Z' } };
    const tooLate = change({ accountUid: undefined, to: { identity: late } });
    expect(await refusalOf(one.change(tooLate))).toBe('provider_would_refuse');
    await one.change(change({ kind: 'withdrawal', accountUid: undefined }));
    expect(one.view()).toMatchObject({ state: 'failed', failure: { code: 'withdrawn' }, attention: [] });
  });
});

test('a counterparty withdrawn before its submission fails and ends', async () => {
  const scene = aScene([failure('rejected', ['ZCOPR06'], 'limit')]);
  const one = await scene.counterparty();
  await one.change(change({ kind: 'withdrawal', accountUid: undefined }));
  expect(one.view()).toMatchObject({ state: 'failed', failure: { code: 'withdrawn' }, attention: [] });
  await scene.pass(3 * DAY);
  expect([one.isOver(), scene.asked.length, scene.sent.length]).toEqual([true, 1, 0]);
});

describe('repeated account verification', () => {
  test('retries on the next day after a daily limit, with a new reference', async () => {
    const scene = aScene([failure('rejected', ['ZCOPR06'], 'limit'), { outcome: 'match' }]);
    const one = await scene.counterparty();
    expect(one.view()).toMatchObject({ state: 'verifying', awaiting: { what: 'verification' } });
    await scene.pass(12 * HOUR);
    expect(scene.asked).toHaveLength(1);
    await scene.pass(3 * HOUR);
    expect(one.view().state).toBe('registered');
    expect(scene.asked.map(({ reference }) => reference)).toEqual(['acc-1-1', 'acc-1-2']);
  });

  test('retries with a growing backoff if there is no answer', async () => {
    const scene = aScene([failure('unavailable'), failure('queued'), { outcome: 'match' }]);
    const one = await scene.counterparty();
    await scene.pass(40 * SECOND);
    expect(one.view().state).toBe('registered');
    expect(scene.asked.map(({ reference }) => reference)).toEqual(['acc-1-1', 'acc-1-2', 'acc-1-3']);
  });

  test('tries three times if the bank cannot confirm, unless evidence replaces it', async () => {
    const scene = aScene([failure('rejected', ['ZCOPR00'], 'unconfirmed')]);
    const one = await scene.counterparty();
    const other = await scene.counterparty();
    await other.change(change({ to: { verification: EVIDENCE } }));
    expect(other.view()).toMatchObject({
      state: 'registered',
      accounts: [{ checked: { outcome: 'evidence' } }],
    });
    await scene.pass(5 * DAY);
    expect(one.view()).toMatchObject({ state: 'unverified', accounts: [{ tries: 3 }] });
  });

  test('ignores the result of a verification that started before a correction', async () => {
    const open: ((said: Verified) => void)[] = [];
    const scene = aScene([], {
      verifyAccount: () => new Promise<Verified>((resolve) => open.push(resolve)),
    });
    const one = await scene.counterparty();
    await one.change(change({ to: { party_name: 'Ada B Payer' } }));
    open[0]?.({ outcome: 'no_match' });
    await scene.settle();
    expect(one.view()).toMatchObject({ state: 'verifying', accounts: [{ tries: 2 }] });
    open[1]?.({ outcome: 'match' });
    await scene.settle();
    expect(one.view().state).toBe('registered');
  });
});

describe('counterparty submission without an answer', () => {
  const lost = () => Promise.reject(failure('unavailable'));

  test.each([
    ['adopt', 'registered', false],
    ['close', 'unresolved', true],
  ] as const)('is parked and never sent again (%s → %s)', async (decision, state, isOver) => {
    const scene = aScene([], { createCounterparty: lost });
    const one = await scene.counterparty();
    await scene.pass(10 * DAY);
    expect(one.view()).toMatchObject({ state: 'requested', attention: [{ code: 'parked' }], submissions: 1 });
    expect(await refusalOf(one.change(change({ to: { party_name: 'A' } })))).toBe('counterparty_sent');
    await one.resolve(word(decision));
    await scene.pass(10 * DAY);
    expect([one.view().state, one.isOver()]).toEqual([state, isOver]);
    expect(one.view()).toMatchObject({ adopted: decision === 'adopt', attention: [] });
    expect(scene.calls.filter((name) => name === 'createCounterparty')).toHaveLength(1);
  });

  test('is repeated if the previous attempt certainly had no effect', async () => {
    const answers = [failure('rate_limited'), failure('queued')];
    const given = aScene();
    const scene = aScene([], {
      createCounterparty: (args) => {
        const error = answers.pop();
        if (error !== undefined) return Promise.reject(error);
        return Promise.resolve({
          fetchedAt: given.now(),
          snapshot: { uid: args.uid, state: 'registered', accountUids: [], isTaken: true },
          history: [],
        });
      },
    });
    const one = await scene.counterparty();
    await scene.pass(HOUR);
    expect(one.view()).toMatchObject({ state: 'registered', adopted: true, submissions: 1 });
  });
});
