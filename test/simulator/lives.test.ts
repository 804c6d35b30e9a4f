// No invariant fails in lives with faults, `npm run simulate` plays many more of them, and a failed life is reported in short.
import { describe, expect, test } from 'vitest';
import { INVARIANTS, violationIn } from './invariants.js';
import { play } from './play.js';
import { runLives, shortcomingsOf } from './run.js';
import { SHIPPED } from './rules.js';
import { scenarioOf } from './scenario.js';
import { shrunk, failureReportOf } from './shrink.js';
import { OLD_RULES } from './old-rules.js';
import { AMOUNT } from './terms.js';
import type { Scenario } from './events.js';

const FIXED = 1;
const LIVES = 300;
const NEW = Math.floor(Math.random() * 0x7fffffff);

test.each([
  ['fixed', FIXED],
  ['random', NEW],
])(`no invariant fails in ${LIVES} lives of a %s seed (%i)`, async (_which, of) => {
  const run = await runLives({ lives: LIVES, seed: of }, SHIPPED);
  const { failed } = run;
  const found =
    failed && `${failed.violation.invariant}: npm run simulate -- --seed ${of} --life ${failed.life}`;
  expect(found).toBeUndefined();
  expect(shortcomingsOf(run)).toEqual([]);
});

test('the same scenario plays the same life', async () => {
  const twice = [await play(scenarioOf(7), SHIPPED, true), await play(scenarioOf(7), SHIPPED, true)];
  expect(twice[0]?.lines.length).toBeGreaterThan(10);
  expect(twice[0]?.lines).toEqual(twice[1]?.lines);
});

const OURS: Scenario = {
  beginsAs: 'ours',
  isAccepted: true,
  isSigned: true,
  hides: 'nothing',
  hasGrace: true,
  tokenMs: 144_000_000,
  isNew: false,
  payments: { limit: 9, others: 0, ends: 'settled', by: [], stepMs: 100_000, refuses: false },
  refunds: { ends: 'processed', stepMs: 5000, refuses: false },
  events: [],
};
const AN_HOUR_BACK = { do: 'clock', ms: -3_600_000 } as const;

describe('clock set back by an hour', () => {
  test('does not shorten the wait before a second submission', async () => {
    const events: Scenario['events'] = [
      { atMs: 20_999, event: { do: 'call', target: 'write', fault: 'cut_before', ms: 300 } },
      { atMs: 21_000, event: { do: 'pay', intent: 0, uid: 0, retries: 0 } },
      { atMs: 21_043, event: { do: 'worker', fate: 'dies' } },
      { atMs: 141_311, event: { do: 'misreport', type: 'expired' } },
      { atMs: 218_059, event: AN_HOUR_BACK },
    ];
    const life = await play({ ...OURS, events }, SHIPPED);
    expect(life.submissions.filter(({ what }) => what === 'pay-0-0')).toHaveLength(2);
    expect(violationIn(life)).toBeUndefined();
  });

  test('does not make a look-up seem older than an event received before it', async () => {
    const events: Scenario['events'] = [
      { atMs: 2_000, event: { do: 'payer', move: 'accept' } },
      { atMs: 120_687, event: AN_HOUR_BACK },
      { atMs: 121_162, event: { do: 'misreport', type: 'cancelled' } },
      { atMs: 122_364, event: { do: 'sweep' } },
    ];
    const life = await play({ ...OURS, events }, SHIPPED);
    expect(life.statuses.find(({ what }) => what === 'agr-life')?.flags).toContain('conflict');
    expect(violationIn(life)).toBeUndefined();
  });
});

describe('a payment that Temporal has forgotten', () => {
  const refund = (atMs: number) => ({ atMs, event: { do: 'refund' } }) as const;
  const forgotten = (atMs: number, isTerminated: boolean) =>
    ({ atMs, event: { do: 'forgotten', of: 'payment', isTerminated } }) as const;
  const lived = (isTerminated: boolean, rules = SHIPPED) => {
    const pay = { atMs: 5_000, event: { do: 'pay', intent: 0, uid: 0, retries: 0 } } as const;
    const before = [pay, refund(200_000), refund(300_000), forgotten(900_000, isTerminated)];
    const after = [1_000_000, 1_900_000, 2_000_000].map(refund);
    return play({ ...OURS, events: [...before, ...after] }, rules);
  };

  test.each([
    ['forgotten', false],
    ['forgotten and terminated', true],
  ])('still counts its refunds: %s', async (_how, isTerminated) => {
    const life = await lived(isTerminated);
    expect(violationIn(life)).toBeUndefined();
    expect([...life.refunded.values()]).toEqual([AMOUNT]);
  });

  test('would refund more than was paid if it began as new', async () => {
    const { rules } = OLD_RULES['a run after a forgotten one starts as new'];
    const life = await lived(false, rules);
    expect(INVARIANTS.neverMoreIsRefundedThanWasPaid(life)).toBeDefined();
    expect(INVARIANTS.everyRefundEndsAndIsReported(life)).toContain('its payment shows it as unknown');
    expect(INVARIANTS.nothingRequestedIsForgotten(life)).toContain('requester');
  });
});

test('a failed life is reduced to fewer events, and its report ends with the final states', async () => {
  const { rules } = OLD_RULES['a refused submission counts as unclear'];
  const { failed } = await runLives({ lives: LIVES, seed: FIXED }, rules);
  if (failed === undefined) throw new Error('expected a failed life');
  const shorter = await shrunk(failed.scenario, failed.violation.invariant, rules);
  expect(shorter.events.length).toBeLessThan(failed.scenario.events.length);
  expect(violationIn(await play(shorter, rules))?.invariant).toBe(failed.violation.invariant);
  expect(await failureReportOf(shorter, rules)).toContain('at the end');
});
