import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import {
  A_MANDATE,
  anOrder,
  failure,
  fetchedAgreement,
  fetchedPayment,
  nothingNew,
} from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { PlanRequest } from '../../../domain/agreement/plan.js';
import type { PaymentOutcome } from '../../../domain/payment/outcome.js';
import type { Activities } from '../../../activities/index.js';

const UID = 'agr-1';
const PLAN: PlanRequest = {
  schedule: { every: 'monthly', from: '2026-11-03', amount: 4200 },
  onMissed: 'catch_up_one',
  onHoliday: 'same',
  order: { agreement_uid: UID, priority: 'unattended' },
  uidBase: 'base',
  by: 'key-1',
};

/** An active agreement whose planned payments really run. */
async function aPlan(plan: Partial<PlanRequest> = {}, given: Partial<Activities> = {}) {
  const sent: string[] = [];
  const gate = { submit: (): Promise<void> => Promise.resolve() };
  const send = async (uid: string): Promise<void> => {
    await gate.submit();
    sent.push(uid);
  };
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    submitPayment: ({ uid }) => send(uid).then(() => fetchedPayment(uid, 'created')),
    retryPayment: ({ uid }) => send(`retry ${uid}`).then(() => 'accepted' as const),
    lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'failed')),
    findPayment: () => Promise.resolve(null),
    awaitResumption: () => gate.submit().catch(() => Promise.reject(nothingNew(60_000))),
    ...given,
  });
  const agr = await scene.agreement({ uid: UID, mandate: A_MANDATE });
  await agr.receive(aFact('activated', { publishedAt: scene.now() }));
  await scene.pass(SECOND);
  await agr.putPlan({ ...PLAN, ...plan });
  const payments = new Map<string, Awaited<ReturnType<typeof scene.payment>>>();
  const live = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= HOUR / 6) {
      await scene.pass(HOUR / 6);
      for (const [id, input] of scene.begun)
        if (!payments.has(id)) payments.set(id, await scene.payment(input));
      for (const report of scene.reports.splice(0)) await agr.report(report);
    }
  };
  const log = () => agr.view().plan?.log.map(({ date, uid, reason }) => [date, uid, reason?.code]);
  const flags = () => agr.view().attention.map(({ code }) => code);
  const pay = (uid: string) => agr.pay({ uid, order: anOrder(UID) });
  const report = (uid: string, outcome: PaymentOutcome) =>
    agr.report({
      ...{ uid, amount: 4200, requestedAt: scene.now(), outcome, at: scene.now() },
      failures: outcome === 'failed' ? 1 : 0,
    });
  return { scene, agr, gate, sent, live, log, flags, pay, report, payments };
}
const stopped = () => Promise.reject(ApplicationFailure.create({ type: 'stopped', nonRetryable: true }));
const limited = () => Promise.reject(failure('rejected', ['ZPPAY01'], 'limit', 'Try again tomorrow.'));

describe('a date on which nothing was taken', () => {
  test.each([
    ['stopped over midnight', stopped, 'lapsed'],
    ['over the daily limit of the account', limited, 'ZPPAY01'],
  ])('is owed until it is taken: %s', async (_what, submit, code) => {
    const { gate, live, log, flags, sent, payments } = await aPlan();
    gate.submit = submit;
    await live(2 * DAY + HOUR);
    expect(log()).toMatchObject([['2026-11-03', 'base.20261103', code === 'lapsed' ? undefined : code]]);
    await live(DAY);
    expect([log()?.[0], flags()]).toEqual([['2026-11-03', 'base.20261103', code], ['plan']]);
    gate.submit = () => Promise.resolve();
    await live(2 * DAY);
    expect(sent).toHaveLength(1);
    const last = log()?.at(-1);
    expect(last).toEqual(['2026-11-03', sent[0], undefined]);
    await payments
      .get(`payment/${sent[0]}`)
      ?.receive(aFact('settled', { publishedAt: '2026-11-06T00:00:00.000Z' }));
    await live(HOUR);
    expect(flags()).toEqual([]);
  });

  test.each([
    ['by `skip`', { onMissed: 'skip' } as const, ['2026-11-03 lapsed'], 0],
    [
      'once the next date is due',
      { schedule: { every: 'daily', from: '2026-11-03', until: '2026-11-04', amount: 4200 } } as const,
      ['2026-11-03 lapsed', '2026-11-04 taken'],
      1,
    ],
  ])('is left out %s, and flagged', async (_what, plan, expected, count) => {
    const { gate, live, log, flags, sent } = await aPlan(plan);
    gate.submit = stopped;
    await live(2.7 * DAY);
    gate.submit = () => Promise.resolve();
    await live(4 * DAY);
    expect(log()?.map(([date, , code]) => `${date} ${code ?? 'taken'}`)).toEqual(expected);
    expect([sent.length, flags()]).toEqual([count, ['plan']]);
  });

  test('stays out if a caller has withdrawn its payment', async () => {
    const { gate, live, log, flags, payments, sent } = await aPlan();
    gate.submit = stopped;
    await live(2 * DAY);
    await payments.get('payment/base.20261103')?.withdraw('paid in cash');
    gate.submit = () => Promise.resolve();
    await live(3 * DAY);
    expect([log(), flags(), sent]).toEqual([[['2026-11-03', 'base.20261103', 'withdrawn']], [], []]);
  });

  test.each([
    ['six in flight', 'too_many_in_flight', 'in_flight'],
    ['six failures', 'too_many_failures', 'failed'],
  ] as const)('is taken once the agreement takes payments again: %s', async (_what, code, outcome) => {
    const { live, log, flags, agr, pay, report } = await aPlan();
    for (let n = 0; n < 6; n += 1) await pay(`p-${n}`).then(() => report(`p-${n}`, outcome));
    await live(3 * DAY);
    expect([log(), flags()]).toEqual([[['2026-11-03', undefined, code]], expect.arrayContaining(['plan'])]);
    if (outcome === 'in_flight') await report('p-0', 'settled');
    else await agr.resolve({ key: 'k', code: 'consecutive_failures', reason: 'asked', by: 'op' });
    await live(HOUR);
    expect(log()).toEqual([['2026-11-03', 'base.20261103', undefined]]);
  });

  test.each(['a new plan', 'its end'])('is not dropped in silence by %s', async (what) => {
    const { agr, live, log, flags, scene } = await aPlan();
    await agr.receive(
      aFact('suspended', { publishedAt: new Date(Date.parse(scene.now()) + 1).toISOString() }),
    );
    await live(3 * DAY);
    expect([agr.view().plan?.owed?.date, flags()]).toEqual(['2026-11-03', []]);
    if (what === 'its end') await agr.endPlan();
    else await agr.putPlan({ ...PLAN, schedule: { dates: [{ date: '2026-12-03', amount: 1 }] } });
    expect(flags()).toEqual(['plan']);
    expect(log()).toEqual([['2026-11-03', undefined, what === 'its end' ? 'plan_ended' : 'plan_replaced']]);
    const warnings = agr.view().plan?.warnings ?? [];
    expect(warnings.filter((text) => text.includes('2026-11-03'))).toHaveLength(what === 'its end' ? 0 : 1);
  });

  test.each([
    [false, 'base.20261104'],
    [true, 'retry base.20261103'],
  ])('is sent once more after a failure in the grace period (retryable: %s)', async (retryable, again) => {
    const { live, payments, sent, scene } = await aPlan({
      handling: { retry: { attempts: 3, everySeconds: 86_400 } },
    });
    await live(2 * DAY);
    const detail = { failure: { code: 'MCGP', retryable } };
    const at = new Date(Date.parse(scene.now()) + 1).toISOString();
    await payments.get('payment/base.20261103')?.receive(aFact('failed', { publishedAt: at, detail }));
    await live(3 * DAY);
    expect(sent).toEqual(['base.20261103', again]);
  });
});

describe('a planned payment whose uid a workflow has', () => {
  const ours = { of: UID, amount: 4200, requestedAt: '2026-11-02T22:00:00.000Z' };
  test.each([
    ['another agreement’s', { ...ours, of: 'agr-2' }, '.2'],
    ['ours, from before a reset', ours, ''],
  ])('gets another uid unless it is ours: %s', async (_what, holder, suffix) => {
    const { scene, live, log, flags, agr } = await aPlan({}, { claimPayment: () => Promise.resolve(holder) });
    scene.begun.set('payment/base.20261103', { uid: 'base.20261103', order: anOrder('agr-2') });
    await live(2 * DAY);
    const uid = `base.20261103${suffix}`;
    expect([log(), flags()]).toEqual([[['2026-11-03', uid, undefined]], suffix === '' ? [] : ['plan']]);
    expect(agr.view().payments.map((one) => one.uid)).toEqual([uid]);
  });

  test('is not taken twice while it is unclear whose it is', async () => {
    const answers = [failure('unavailable'), undefined];
    const { scene, live, log, flags } = await aPlan(
      {},
      {
        claimPayment: () => {
          const failed = answers.shift();
          return failed === undefined ? Promise.resolve(ours) : Promise.reject(failed);
        },
      },
    );
    scene.begun.set('payment/base.20261103', { uid: 'base.20261103', order: anOrder(UID) });
    await scene.pass(DAY + 22.2 * HOUR);
    expect([log(), flags()]).toEqual([[], ['plan']]);
    await live(HOUR);
    expect(log()).toEqual([['2026-11-03', 'base.20261103', undefined]]);
    expect([...scene.begun.keys()]).toEqual(['payment/base.20261103']);
  });
});
