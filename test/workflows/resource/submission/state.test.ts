import { describe, expect, test } from 'vitest';
import { aFact } from '../../../support/facts.js';
import { failure, fetchedPayment } from '../../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime, unanswered } from '../../../support/workflows/virtual.js';
import { KINDS, EVENT, scripted } from '../../../support/workflows/submissions.js';

const ROUND = ['submit', 'find', 'find', 'find', 'find'];
const AT = [0, 5, 15, 45, 120];
const roundFrom = (seconds: number): string[] =>
  ROUND.map((what, index) => `${seconds + (AT[index] ?? 0)} ${what}`);

describe.each(KINDS)('submission of a new %s', (kind) => {
  test('is sent once if accepted', async () => {
    const { scene, log, begin } = scripted(kind, ['taken']);
    const it = await begin();
    await scene.pass(4 * DAY);
    expect(log).toEqual(['0 submit']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 1 });
    expect(it.lifeState()).toBe('created');
    expect(it.flags()).toEqual([]);
  });

  test('is looked up without an answer and sent again if absent for two minutes', async () => {
    const { scene, log, begin } = scripted(kind, ['silence', 'taken'], ['absent']);
    const it = await begin();
    expect(it.submission()).toMatchObject({ stage: 'sent', count: 1 });
    expect(it.flags()).toEqual(['unknown_outcome']);
    expect(it.awaiting()).toBe('submission-outcome');
    await scene.pass(119 * SECOND);
    expect(log).toEqual(roundFrom(0).slice(0, 4));
    await scene.pass(DAY);
    expect(log).toEqual([...roundFrom(0), '120 submit']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 2 });
    expect(it.flags()).toEqual([]);
  });

  test('is not sent again without an answer if the provider has it', async () => {
    const { scene, log, begin } = scripted(kind, ['silence'], ['absent', 'there']);
    const it = await begin();
    await scene.pass(DAY);
    expect(log).toEqual(['0 submit', '5 find', '15 find']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 1 });
    expect(it.lifeState()).toBe('created');
    expect(it.flags()).toEqual([]);
  });

  test('is not sent again after fewer than three answers, at any interval', async () => {
    const { scene, log, begin } = scripted(kind, ['silence'], ['away', 'absent', 'absent', 'there']);
    const it = await begin();
    await scene.pass(DAY);
    expect(log).toEqual(['0 submit', '5 find', '605 find', '615 find', '645 find']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 1 });
  });

  const NEVER = ['silence', 'duplicate', 'conflict'] as const;
  test.each(NEVER)('is sent at most three times and then parked (%s)', async (answer) => {
    const { scene, log, begin } = scripted(kind, [answer], ['absent']);
    const it = await begin();
    await scene.pass(30 * DAY);
    expect(log).toEqual([0, 120, 240].flatMap(roundFrom));
    expect(it.submission()).toMatchObject({ stage: 'parked', parkedFor: 'absence', count: 3 });
    expect([it.awaiting(), it.flags()]).toEqual(['operator', ['parked']]);
    expect(it.detail()).toContain('3 times');
  });

  test('resumes from parked after an authenticated event', async () => {
    const { scene, log, begin } = scripted(kind, ['silence'], ['absent']);
    const it = await begin();
    await scene.pass(DAY);
    await it.receive(aFact(EVENT[kind], { authenticated: false }));
    expect(it.submission().stage).toBe('parked');
    await it.receive(aFact(EVENT[kind]));
    await scene.pass(DAY);
    expect(it.submission().stage).toBe('open');
    expect(it.flags()).not.toContain('parked');
    expect(log.filter((entry) => entry.endsWith('submit'))).toHaveLength(3);
  });

  test('ends if refused, after one look-up', async () => {
    const { scene, log, begin } = scripted(kind, ['refused']);
    const it = await begin();
    await scene.pass(DAY);
    expect(log).toEqual(['0 submit', '0 find']);
    expect(it.lifeState()).toBe('failed');
    expect(it.isOver()).toBe(true);
    expect(it.flags()).toEqual([]);
  });

  test('is looked up after a refusal if an earlier attempt is unaccounted for', async () => {
    const { scene, log, begin } = scripted(
      kind,
      ['silence', 'refused'],
      ['absent', 'absent', 'absent', 'absent', 'there'],
    );
    const it = await begin();
    await scene.pass(DAY);
    expect(log).toEqual([...roundFrom(0), '120 submit', '125 find']);
    expect(it.lifeState()).toBe('created');
    expect(it.flags()).toEqual([]);
  });

  test('fails after a refusal and look-ups without a result, without a third attempt', async () => {
    const { scene, log, begin } = scripted(kind, ['silence', 'refused'], ['absent']);
    const it = await begin();
    await scene.pass(DAY);
    expect(log).toEqual([0, 120].flatMap(roundFrom));
    expect(it.lifeState()).toBe('failed');
    expect(it.isOver()).toBe(true);
    expect(it.flags()).toEqual([]);
  });

  test('is adopted after a duplicate uid if the provider shows the same order', async () => {
    const { scene, log, begin } = scripted(kind, ['duplicate'], ['there']);
    const it = await begin();
    await scene.pass(DAY);
    expect(log).toEqual(['0 submit', '5 find']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 1 });
    expect(it.flags()).toEqual([]);
  });

  test('is repeated later and counts once if it certainly did not reach the provider', async () => {
    const { scene, log, begin } = scripted(kind, ['rate_limited', 'queued', 'unmarked', 'taken']);
    const it = await begin();
    expect(it.submission()).toMatchObject({ stage: 'ready', count: 0 });
    await scene.pass(DAY);
    expect(log).toEqual(['0 submit', '30 submit', '37 submit', '39 submit']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 1, pauses: 0 });
    expect(it.flags()).toEqual([]);
  });

  test('is repeated with a growing backoff of at most ten minutes', async () => {
    const { scene, log, begin } = scripted(kind, ['token_not_read']);
    await begin();
    await scene.pass(3600 * SECOND);
    const at = log.map((entry) => Number.parseInt(entry, 10));
    const pauses = at.slice(1).map((second, index) => second - (at[index] ?? 0));
    expect(pauses.slice(0, 11)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600]);
    expect(new Set(pauses.slice(10))).toEqual(new Set([600]));
  });

  test('waits unsent for consent and is sent after it', async () => {
    const { scene, log, begin } = scripted(kind, ['forbidden', 'taken']);
    const it = await begin();
    await scene.pass(HOUR);
    expect(it.awaiting()).toBe('reauthorisation');
    expect(it.flags()).toEqual(['forbidden']);
    expect(log).toEqual(['0 submit']);
    await it.restored();
    expect(log).toEqual(['0 submit', '3600 submit']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 1 });
    expect(it.flags()).toEqual([]);
  });

  test('is looked up after consent and not sent again if consent was missing for the look-up', async () => {
    const { scene, log, begin } = scripted(kind, ['silence'], ['forbidden', 'there']);
    const it = await begin();
    await scene.pass(DAY);
    expect(it.flags()).toContain('forbidden');
    await it.restored();
    expect(log).toEqual(['0 submit', '5 find', '86400 find']);
    expect(it.submission()).toMatchObject({ stage: 'open', count: 1 });
  });

  test('needs no look-up without an answer once an event confirms it', async () => {
    const { scene, log, begin } = scripted(kind, ['silence'], ['absent']);
    const it = await begin();
    await it.receive(aFact(EVENT[kind]));
    await scene.pass(3600 * SECOND);
    expect(log).toEqual(['0 submit']);
    expect(it.submission().stage).toBe('open');
    expect(it.flags()).toEqual([]);
  });

  test('keeps its look-up times in a new run', async () => {
    const { scene, log, begin } = scripted(kind, ['silence', 'taken'], ['absent']);
    const it = await begin();
    await scene.pass(20 * SECOND);
    await it.growLong();
    await scene.pass(DAY);
    expect(it.runs()).toBe(2);
    expect(log).toEqual([...roundFrom(0), '120 submit']);
  });
});

test('a payment whose uid belongs to a different payment stays parked after later events', async () => {
  const { scene, log, begin } = scripted('payment', ['silence'], ['another']);
  const it = await begin();
  await scene.pass(DAY);
  await it.receive(aFact('settled'));
  await scene.pass(DAY);
  expect(log).toEqual(['0 submit', '5 find']);
  expect(it.submission()).toMatchObject({ stage: 'parked', parkedFor: 'difference' });
  expect(it.detail()).toContain('/amount');
  expect(it.isOver()).toBe(false);
});

test.each(['silence', 'duplicate'] as const)(
  'an agreement whose uid belongs to a different agreement fails (%s)',
  async (answer) => {
    const { scene, log, begin } = scripted('agreement', [answer], ['another']);
    const it = await begin();
    await scene.pass(DAY);
    expect(log).toEqual(['0 submit', '5 find']);
    expect(it.lifeState()).toBe('failed');
    expect(it.isOver()).toBe(true);
    expect(it.flags()).toEqual([]);
  },
);

describe('submission in flight', () => {
  async function underWay() {
    const { answer, fail, open } = unanswered<ReturnType<typeof fetchedPayment>>();
    const shown = ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, 'pending'));
    const scene = inVirtualTime({ submitPayment: () => answer, lookUpPayment: shown });
    const payment = await scene.payment();
    return { scene, payment, fail, open };
  }

  test('delays continue-as-new until its answer and is sent once', async () => {
    const { scene, payment, open } = await underWay();
    await payment.growLong();
    await payment.receive(aFact('pending'));
    await scene.pass(90 * SECOND);
    expect(payment.runs()).toBe(1);
    open(fetchedPayment(payment.uid, 'settled'));
    await scene.settle();
    expect(payment.view()).toMatchObject({ state: 'settled', submissions: 1 });
    expect(scene.calls).toEqual(['submitPayment']);
  });

  test('counts as accepted after an event, even if its own answer never arrives', async () => {
    const { scene, payment, fail } = await underWay();
    await payment.receive(aFact('pending'));
    fail(failure('unanswered'));
    await scene.settle();
    expect(payment.state().submission).toMatchObject({ stage: 'open', count: 1 });
    expect(payment.view().attention).toEqual([]);
    expect(payment.view().awaiting.what).toBe('settlement');
  });
});
