import { describe, expect, test } from 'vitest';
import { aCounterpartyOrder, anAccountOrder, failure } from '../../support/workflows/provider.js';
import { DAY, HOUR } from '../../support/workflows/virtual.js';
import { word, change, refusalOf, EVIDENCE, PAYER, aScene } from '../../support/workflows/counterparty.js';

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
