// The seed alone decides which calls and webhooks a rule with a share selects. test/sandbox/store covers restarts.
import { expect, test } from 'vitest';
import { chance } from '../../../sandbox/faults/selection.js';
import type { Caller } from '../../support/sandbox/caller.js';
import { aDebtor } from '../../support/sandbox/agreements.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

/** Which calls failed, as one character each. */
async function failuresOf(caller: Caller, calls: number, path = '/ping'): Promise<string> {
  const statuses: number[] = [];
  for (let call = 0; call < calls; call += 1) statuses.push((await caller.get(path)).status);
  return statuses.map((status) => (status === 500 ? 'x' : '.')).join('');
}

const HALF = { on: 'ping', do: 'error_500_before', share: 0.5 } as const;

test('the same seed and calls select the same faults; another seed and another rule do not', async () => {
  const selected: string[] = [];
  for (const seed of ['7', '7', 'seven']) {
    const { caller, control } = await aWorld({ seed });
    control.addFault(HALF);
    control.addFault({ ...HALF, on: 'get_user' });
    // Calls that a rule does not match do not affect its selection.
    const ofUser = await failuresOf(caller, selected.length === 0 ? 40 : 7, '/user');
    selected.push(await failuresOf(caller, 40));
    if (selected.length === 1) expect(selected[0]).not.toBe(ofUser);
  }
  expect(selected[0]).toMatch(/x/);
  expect(selected[0]).toMatch(/\./);
  expect(selected[1]).toBe(selected[0]);
  expect(selected[2]).not.toBe(selected[0]);
});

test('setting a seed restarts the selection of existing rules', async () => {
  const { caller, control } = await aWorld();
  control.addFault({ on: 'get_user', do: 'slow' });
  control.addFault(HALF);
  control.setSeed('again');
  const before = await failuresOf(caller, 30);
  await failuresOf(caller, 5);
  control.setSeed('again');
  expect(await failuresOf(caller, 30)).toBe(before);
  expect(control.state().seed).toBe('again');
});

test('selection by resource does not depend on the order of resources', async () => {
  const uids = Array.from({ length: 12 }, (_, index) => `pay-${index}`);
  const failuresIn = async (order: readonly string[]): Promise<Map<string, string>> => {
    const { caller, control } = await aWorld({ seed: 'each' });
    control.addFault({ on: 'get_payment', do: 'error_500_before', share: 0.5, share_by: 'resource' });
    const selected = new Map<string, string>();
    for (const uid of order) {
      const failure = await failuresOf(caller, 1, `/payto/payments/${uid}`);
      selected.set(uid, `${selected.get(uid) ?? ''}${failure}`);
    }
    return selected;
  };
  const inOrder = await failuresIn([...uids, ...uids]);
  expect(await failuresIn([...uids, ...uids.toReversed()])).toEqual(inOrder);
  expect(new Set(inOrder.values())).toEqual(new Set(['..', '.x', 'x.', 'xx']));
});

test('the selected share of many calls matches the configured share', () => {
  const draws = Array.from({ length: 20_000 }, (_, draw) => chance('seed', 1, draw));
  expect(draws.every((number) => number >= 0 && number < 1)).toBe(true);
  for (const share of [0.01, 0.1, 0.5, 0.9]) {
    const met = draws.filter((number) => number < share).length / draws.length;
    expect(Math.abs(met - share)).toBeLessThan(0.015);
  }
});

test('times counts only selected calls, and the next rule may select the others', async () => {
  const { caller, control } = await aWorld({ seed: 'few' });
  control.addFault({ ...HALF, times: 3 });
  expect((await failuresOf(caller, 40)).replaceAll('.', '')).toBe('xxx');
  expect(control.state().faults).toEqual([]);
  control.addFault({ ...HALF, share: 0.000_001 });
  control.addFault({ on: '*', do: 'error_503' });
  expect((await caller.get('/ping')).status).toBe(503);
});

test('the seed also determines the selected webhooks', async () => {
  const selected: string[][] = [];
  while (selected.length < 2) {
    const world = await aWorld({ seed: 'hooks' });
    world.control.addFault({ on: 'webhook', do: 'lose', share: 0.5 });
    for (let count = 0; count < 12; count += 1) await anActiveAgreement(world, { debtor: aDebtor() });
    const lines = world.control.ledger(0, { kind: 'webhook' });
    selected.push(lines.map((line) => String('status' in line && line.status)));
  }
  expect(selected[1]).toEqual(selected[0]);
  expect([...new Set(selected[0])].sort()).toEqual(['200', 'lost']);
});
