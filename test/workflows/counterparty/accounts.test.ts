import { describe, expect, test } from 'vitest';
import { aCounterpartyOrder, anAccountOrder, failure } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND } from '../../support/workflows/virtual.js';
import {
  word,
  change,
  refusalOf,
  EVIDENCE,
  aScene,
  type Said,
} from '../../support/workflows/counterparty.js';
import type { Verified } from '../../../domain/counterparty/verification.js';

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
