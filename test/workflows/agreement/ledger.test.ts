import { describe, expect, test } from 'vitest';
import { applyOutcome, type Ledger } from '../../../workflows/agreement/ledger.js';
import { anOrder, refusalIn } from '../../support/workflows/provider.js';
import { anActiveOne } from '../../support/workflows/virtual-agreement.js';
import type { KeyUse } from '../../../domain/commands/key-use.js';

const NOW = '2026-11-02T00:00:00.000Z';
const NONE: Ledger = { ledger: [], paymentsOlder: 0 };
const USE: KeyUse = { key: 'k', uid: 'p', body: 'b' };

describe('idempotency key of a payment', () => {
  test.each<[string, KeyUse]>([
    ['a different uid', { ...USE, uid: 'p-2' }],
    ['a different body', { ...USE, body: 'b-2' }],
  ])('refuses %s under the same key, also in a later run', async (_, other) => {
    const { scene, agr } = await anActiveOne();
    const order = anOrder(agr.uid);
    const pay = (use: KeyUse | undefined, uid = use?.uid ?? 'p') => agr.pay({ uid, order, use });
    const judged = { at: scene.now(), state: 'active' };
    expect(await pay(USE)).toMatchObject({ connectionId: 'acme', judged });
    await agr.growLong();
    expect(await pay(other).catch(refusalIn)).toBe('payment_key_conflict');
    expect(await pay(USE)).toMatchObject({ repeatOf: 'key' });
    expect(agr.state().ledger).toHaveLength(1);
    expect(await pay({ ...other, key: 'k-2', uid: 'p-3' })).not.toHaveProperty('repeatOf');
    expect(await pay(undefined, 'p-4')).not.toHaveProperty('repeatOf');
  });

  test('leaves the key unused if no payment was admitted under it', async () => {
    const { scene, agr } = await anActiveOne();
    const order = anOrder(agr.uid);
    await agr.pay({ uid: 'p', order });
    const requestedAt = scene.now();
    await scene.pass(1000);
    expect(await agr.pay({ uid: 'p', order, use: USE })).toMatchObject({ repeatOf: 'uid', requestedAt });
    expect(await agr.pay({ uid: 'p', order: { ...order, amount: 1 } })).toMatchObject({ repeatOf: 'uid' });
    const other = await scene.agreement({ carried: { ...agr.state(), ledger: [] } });
    expect(await other.pay({ uid: 'p', order, use: USE }).catch(refusalIn)).toBe('payment_uid_conflict');
    expect(other.state().uses).toEqual([]);
  });
});

test('a payment dropped from a full ledger counts its failures once', () => {
  const at = (n: number): string => new Date(n * 1000).toISOString();
  const ledger = Array.from({ length: 1000 }, (_, n) => ({
    ...{ uid: `p-${n}`, amount: 1, requestedAt: at(n + 1) },
    ...(n > 0 && { outcome: 'settled' as const, outcomeAt: at(n + 1) }),
  }));
  const report = {
    uid: 'old',
    amount: 1,
    requestedAt: at(0),
    outcome: 'failed',
    at: at(0),
    failures: 1,
  } as const;
  const first = applyOutcome({ ledger, paymentsOlder: 0 }, report);
  expect([first.newFailures, applyOutcome(first.state, report).newFailures]).toEqual([1, 0]);
  expect(first.state.ledger.map(({ uid }) => uid).slice(0, 3)).toEqual(['old', 'p-0', 'p-2']);
  expect(first.state).toMatchObject({ ledger: { length: 1000 }, paymentsOlder: 1 });
});

test('a failure of an earlier attempt is not counted twice', () => {
  const report = { uid: 'p', amount: 1, requestedAt: NOW, at: NOW } as const;
  const reports = [
    { ...report, outcome: 'failed', failures: 1 },
    { ...report, outcome: 'failed', failures: 2 },
    { ...report, outcome: 'in_flight', failures: 1 },
    { ...report, outcome: 'failed', failures: 2 },
  ] as const;
  const counted: number[] = [];
  reports.reduce((before, one) => {
    const { state, newFailures } = applyOutcome(before, one);
    counted.push(newFailures);
    return state;
  }, NONE);
  expect(counted).toEqual([1, 1, 0, 0]);
});
