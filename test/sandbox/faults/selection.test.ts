import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chance } from '../../../sandbox/faults/selection.js';
import { startSandbox } from '../../../sandbox/start.js';
import { callerWith, consent, type Caller } from '../../support/sandbox/caller.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aWorld } from '../../support/sandbox/world.js';

async function fates(caller: Caller, calls: number, path = '/ping'): Promise<string> {
  const statuses: number[] = [];
  for (let call = 0; call < calls; call += 1) statuses.push((await caller.get(path)).status);
  return statuses.map((status) => (status === 500 ? 'x' : '.')).join('');
}

const HALF = { on: 'ping', do: 'error_500_before', share: 0.5 } as const;

test('the same seed and calls select the same faults, and another seed differs', async () => {
  const [first, second, third] = [
    await aWorld({ seed: '7' }),
    await aWorld({ seed: '7' }),
    await aWorld({ seed: 'seven' }),
  ];
  const seen: string[] = [];
  for (const { caller, control } of [first, second, third]) {
    control.addFault(HALF);
    seen.push(await fates(caller, 40));
  }
  expect(seen[0]).toMatch(/x/);
  expect(seen[0]).toMatch(/\./);
  expect(seen[1]).toBe(seen[0]);
  expect(seen[2]).not.toBe(seen[0]);
});

test('setting a seed restarts the selection of existing rules', async () => {
  const { caller, control } = await aWorld();
  control.addFault({ on: 'get_user', do: 'slow' });
  control.addFault(HALF);
  control.setSeed('again');
  const before = await fates(caller, 30);
  await fates(caller, 5);
  control.setSeed('again');
  expect(await fates(caller, 30)).toBe(before);
  expect(control.state().seed).toBe('again');
});

test('calls that a rule does not match do not affect its selection', async () => {
  const seen: string[] = [];
  for (const isBusy of [false, true]) {
    const { caller, control } = await aWorld({ seed: 'x' });
    control.addFault(HALF);
    control.addFault({ ...HALF, on: 'get_user' });
    if (isBusy) await fates(caller, 7, '/user');
    seen.push(await fates(caller, 20));
  }
  expect(seen[1]).toBe(seen[0]);
});

test('two rules with the same share select different calls', async () => {
  const { caller, control } = await aWorld({ seed: '1' });
  control.addFault(HALF);
  control.addFault({ ...HALF, on: 'get_user' });
  expect(await fates(caller, 40)).not.toBe(await fates(caller, 40, '/user'));
});

test('selection by resource does not depend on the order of resources', async () => {
  const uids = Array.from({ length: 12 }, (_, index) => `pay-${index}`);
  const fatesOf = async (asked: readonly string[]): Promise<Map<string, string>> => {
    const { caller, control } = await aWorld({ seed: 'each' });
    control.addFault({ on: 'get_payment', do: 'error_500_before', share: 0.5, share_by: 'resource' });
    const met = new Map<string, string>();
    for (const uid of asked)
      met.set(uid, `${met.get(uid) ?? ''}${await fates(caller, 1, `/payto/payments/${uid}`)}`);
    return met;
  };
  const inOrder = await fatesOf([...uids, ...uids]);
  expect(await fatesOf([...uids, ...uids.toReversed()])).toEqual(inOrder);
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

test('times counts only selected calls', async () => {
  const { caller, control } = await aWorld({ seed: 'few' });
  control.addFault({ ...HALF, times: 3 });
  const seen = await fates(caller, 40);
  expect(seen.replaceAll('.', '')).toBe('xxx');
  expect(control.state().faults).toEqual([]);
});

test('a call that one rule skips may be selected by the next', async () => {
  const { caller, control } = await aWorld({ seed: 'next' });
  control.addFault({ ...HALF, share: 0.000_001 });
  control.addFault({ on: '*', do: 'error_503' });
  expect((await caller.get('/ping')).status).toBe(503);
});

test('the seed also determines the selected webhooks', async () => {
  const seen: string[][] = [];
  while (seen.length < 2) {
    const { caller, control } = await aWorld({ seed: 'hooks' });
    control.addFault({ on: 'webhook', do: 'lose', share: 0.5 });
    for (let count = 0; count < 12; count += 1) {
      await caller.post('/payto/agreements', { ...anAgreement(), debtor: aDebtor(count) });
      await control.advance(1);
    }
    seen.push(control.ledger(0, { kind: 'webhook' }).map((it) => String('status' in it && it.status)));
  }
  expect(seen[1]).toEqual(seen[0]);
  expect([...new Set(seen[0])].sort()).toEqual(['200', 'lost']);
});

const aDebtor = (number: number) => ({
  party_name: 'A Payer',
  account_identifier: { type: 'bban', value: `200001-1234${number + 1000}` },
});

test('the seed and its progress survive a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const dataFile = join(directory, 'kept.json');
  const first = await startSandbox({ dataFile });
  const { access } = await consent(first.url);
  const { seed } = first.control.state();
  first.control.addFault(HALF);
  const before = await fates(callerWith(first.url, access), 20);
  await first.close();
  const second = await startSandbox({ dataFile });
  onTestFinished(() => second.close());
  expect(second.control.state().seed).toBe(seed);
  const after = await fates(callerWith(second.url, access), 20);

  const { caller, control } = await aWorld({ seed });
  control.addFault(HALF);
  expect(await fates(caller, 40)).toBe(before + after);
});
