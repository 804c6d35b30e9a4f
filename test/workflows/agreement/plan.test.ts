import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { planSteps, setPlan } from '../../../workflows/agreement/plan.js';
import { requestDuePayment } from '../../../workflows/agreement/plan-dates.js';
import { STEPS } from '../../../workflows/agreement/steps.js';
import { A_MANDATE, fetchedAgreement, refusalIn } from '../../support/workflows/provider.js';
import { DAY, HOUR, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Mandate } from '../../../domain/agreement/mandate.js';
import type { PlanRequest, Schedule } from '../../../domain/agreement/plan.js';
import type { AgreementView } from '../../../workflows/agreement/contract.js';
import type { Child, Scope } from '../../../workflows/engine/runtime.js';

const UID = 'agr-1';
const MONTHLY: Schedule = { every: 'monthly', from: '2026-11-30', amount: 4200 };
const DAILY: Schedule = { every: 'daily', from: '2026-11-02', amount: 4200 };

const dates = (...days: number[]): Schedule => ({
  dates: days.map((day) => ({ date: `2026-11-${String(day).padStart(2, '0')}`, amount: 4200 })),
});
const planOf = (schedule: Schedule, over: Partial<PlanRequest> = {}): PlanRequest => ({
  schedule,
  onMissed: 'skip',
  onHoliday: 'same',
  order: { agreement_uid: UID, priority: 'unattended' },
  uidBase: 'base',
  by: 'key-1',
  ...over,
});

async function anAgreement(mandate: Partial<Mandate> = {}) {
  let whole = { ...A_MANDATE, ...mandate };
  const shown = (state: string) => {
    const fetched = fetchedAgreement(UID, state);
    return { ...fetched, snapshot: { ...fetched.snapshot, mandate: whole } };
  };
  let state = 'active';
  const scene = inVirtualTime({
    createAgreement: () => Promise.resolve(shown('created')),
    lookUpAgreement: () => Promise.resolve(shown(state)),
  });
  const agr = await scene.agreement({ uid: UID, mandate: whole });
  const becomes = async (type: string, to: string) => {
    state = to;
    await agr.receive(aFact(type, { publishedAt: scene.now() }));
  };
  await becomes('activated', 'active');
  const amended = (changes: Partial<Mandate>): void => void (whole = { ...whole, ...changes });
  return { scene, agr, becomes, amended, log: () => logOf(agr.view()) };
}
const logOf = ({ plan }: AgreementView): string[] | undefined =>
  plan?.log.map(({ date, uid, reason }) => `${date} ${uid ?? reason?.code ?? ''}`);

test('a plan pays on each date in Sydney time, across hand-overs and repeated requests', async () => {
  const { scene, agr, log } = await anAgreement();
  await agr.putPlan(planOf(MONTHLY));
  expect(
    agr
      .view()
      .plan?.upcoming.map(({ date }) => date)
      .slice(0, 4),
  ).toEqual(['2026-11-30', '2026-12-30', '2027-01-30', '2027-02-28']);
  await scene.pass(40 * DAY);
  await agr.putPlan(planOf(MONTHLY));
  await agr.growLong();
  await scene.pass(90 * DAY);
  expect(log()).toEqual([
    '2026-11-30 base.20261130',
    '2026-12-30 base.20261230',
    '2027-01-30 base.20270130',
    '2027-02-28 base.20270228',
  ]);
  const [first] = agr.view().payments;
  expect(first?.requestedAt).toMatch(/^2026-11-29T22:/);
  const judged = { at: first?.requestedAt, state: 'active', terms: { max_amount: 25_000 } };
  expect(scene.begun.get('payment/base.20261130')).toMatchObject({ judged });
  expect(agr.details()).toContain('the next payment is planned for 2027-03-30, 4200 cents');
});

test("a due payment keeps its plan's order if the plan is replaced before it starts", async () => {
  const { agr, scene } = await anAgreement();
  const order = { agreement_uid: UID, priority: 'unattended' };
  const first = planOf(
    { ...DAILY, from: '2026-11-01' },
    { order: { ...order, reference: 'old' }, by: 'key-1' },
  );
  const second = planOf({ ...DAILY, amount: 1 }, { order: { ...order, reference: 'new' }, by: 'key-2' });
  const due = requestDuePayment(setPlan(agr.state(), first, scene.now()), scene.now());
  const [step] = planSteps(setPlan(due, second, scene.now()));
  if (step?.do !== 'start_planned') throw new Error('expected a step that starts a planned payment');
  const started: Child[] = [];
  const runtime = {
    now: scene.now,
    startChild: (child: Child) => Promise.resolve(started.push(child) > 0),
  } as unknown as Scope;
  await STEPS.start_planned.run?.(step, () => setPlan(due, second, scene.now()), runtime);
  expect(started[0]?.input).toMatchObject({
    order: { amount: 4200, reference: 'old' },
    requestedBy: 'key-1',
  });
});

test('a replaced plan pays no date twice and an ended plan pays nothing', async () => {
  const { scene, agr, log } = await anAgreement();
  await agr.putPlan(planOf({ ...DAILY, from: '2026-11-01' }));
  await scene.pass(HOUR);
  await agr.putPlan(planOf({ every: 'weekly', from: '2026-11-01', amount: 100 }));
  await scene.pass(8 * DAY);
  await agr.endPlan();
  await agr.endPlan();
  await scene.pass(30 * DAY);
  expect(log()).toEqual([
    '2026-11-01 base.20261101',
    '2026-11-01 payment_exists',
    '2026-11-08 base.20261108',
  ]);
  expect(agr.view().plan).toMatchObject({ ended: { by: 'key-1' }, upcoming: [] });
  expect(agr.details()).toContain('plan, set by key-1, ended by key-1');
  const noted = agr.timeline().facts.filter(({ type }) => type.startsWith('plan'));
  expect(noted.map(({ type, detail }) => [type, detail])).toEqual([
    ['planned', { by: 'key-1', schedule: 'daily from 2026-11-01, 4200 cents each' }],
    ['planned', { by: 'key-1', schedule: 'weekly from 2026-11-01, 100 cents each' }],
    ['plan_ended', { by: 'key-1' }],
  ]);
  await agr.putPlan(planOf({ every: 'weekly', from: '2026-12-20', amount: 100 }));
  expect(agr.view().plan?.upcoming[0]?.date).toBe('2026-12-20');
});

test.each([
  ['not_sent', ['2026-11-02 base.20261102', '2026-11-02 base.20261102.2']],
  ['in_flight', ['2026-11-02 base.20261102', '2026-11-02 payment_exists']],
  ['failed', ['2026-11-02 base.20261102', '2026-11-02 payment_exists']],
] as const)(
  'a repeated plan pays a date again only if its payment was not sent (%s)',
  async (outcome, expected) => {
    const { scene, agr, log } = await anAgreement();
    await agr.putPlan(planOf(dates(2)));
    await scene.pass(DAY);
    const paid = { uid: 'base.20261102', amount: 4200, requestedAt: scene.now() };
    await agr.report({ ...paid, outcome, at: scene.now(), failures: outcome === 'failed' ? 1 : 0 });
    await agr.endPlan();
    await agr.putPlan(planOf(dates(2)));
    await scene.pass(HOUR);
    expect(log()).toEqual(expected);
  },
);

test('each planned payment uses the retry policy of the latest plan', async () => {
  const { scene, agr } = await anAgreement();
  const handling = { retry: { attempts: 2, everySeconds: 3600 } };
  await agr.putPlan(planOf(dates(2)));
  await agr.putPlan(planOf(dates(2), { handling }));
  expect(agr.view().plan?.handling).toEqual(handling);
  await scene.pass(DAY);
  expect(scene.begun.get('payment/base.20261102')).toMatchObject({ handling });
});

test('payments in flight today do not block later dates', async () => {
  const { agr } = await anAgreement();
  const order = { agreement_uid: UID, amount: 1, priority: 'unattended' };
  for (let n = 0; n < 6; n += 1) await agr.pay({ uid: `p-${n}`, order });
  await agr.putPlan(planOf(dates(2, 3)));
  expect(agr.view().plan?.upcoming.map(({ refusal }) => refusal)).toEqual([undefined, undefined]);
});

describe('missed dates', () => {
  test.each([
    [
      'skip',
      ['2026-11-02 agreement_not_active', '2026-11-03 agreement_not_active', '2026-11-04 base.20261104'],
    ],
    ['catch_up_one', ['2026-11-02 missed', '2026-11-03 base.20261103', '2026-11-04 base.20261104']],
  ] as const)('applies `%s` after a suspension', async (onMissed, expected) => {
    const { scene, agr, becomes, log } = await anAgreement();
    await agr.putPlan(planOf(DAILY, { onMissed }));
    await becomes('suspended', 'suspended');
    await scene.pass(2 * DAY);
    await becomes('reactivated', 'active');
    await scene.pass(DAY);
    expect(log()).toEqual(expected);
  });

  test.each([
    ['skip', ['2026-11-02 missed', '2026-11-03 missed']],
    ['catch_up_one', ['2026-11-02 missed', '2026-11-03 base.20261103']],
  ] as const)('applies `%s` after an outage of the worker', async (onMissed, expected) => {
    const { scene, agr } = await anAgreement();
    await agr.putPlan(planOf(dates(2, 3, 20), { onMissed }));
    const state = agr.state();
    await scene.pass(4 * DAY);
    scene.begun.clear();
    const late = await scene.agreement({ uid: 'late', carried: { ...state, ledger: [] } });
    await scene.pass(HOUR);
    expect(logOf(late.view())).toEqual(expected);
  });

  test.each([
    ['skip', ['2026-11-02 base.20261102']],
    ['catch_up_one', ['2026-11-02 base.20261102', '2026-11-03 base.20261103']],
  ] as const)('applies `%s` in the grace period of a migrated agreement', async (onMissed, expected) => {
    const { scene, agr, log } = await anAgreement();
    await agr.putPlan(planOf(dates(2, 20), { onMissed }));
    await scene.pass(DAY);
    const paid = { uid: 'base.20261102', amount: 4200, requestedAt: scene.now() };
    const failed = { ...paid, outcome: 'failed', at: scene.now(), failures: 1 } as const;
    await agr.report({ ...failed, graceFailures: 1 });
    await agr.report({ ...failed, graceFailures: 1 });
    await scene.pass(5 * DAY);
    expect(log()).toEqual(expected);
    const { plan, consecutiveFailures } = agr.view();
    expect(consecutiveFailures.count).toBe(0);
    expect(plan?.log[0]?.reason?.code).toBe('in_grace_period');
    expect(plan?.upcoming.map(({ date }) => date)).toEqual(['2026-11-20']);
  });
});

test('skips a date that the terms forbid and flags later dates that an amendment forbids', async () => {
  const terms = { type: 'variable', frequency: 'monthly', count: 3, max_amount: 5000 };
  const { scene, agr, log, becomes, amended } = await anAgreement({
    payment_terms: terms,
    validity_end_date: '2026-11-30',
  });
  await agr.putPlan(planOf(dates(2, 16, 30)));
  expect(agr.view().plan?.warnings).toEqual([
    'The last date, 2026-11-30, leaves no room for retries before validity ends on 2026-11-30.',
  ]);
  await agr.pay({ uid: 'by-hand', order: { agreement_uid: UID, amount: 1, priority: 'unattended' } });
  await scene.pass(20 * DAY);
  amended({ payment_terms: { ...terms, max_amount: 100 } });
  await becomes('amended', 'active');
  expect(agr.view()).toMatchObject({
    attention: [{ code: 'plan' }],
    plan: { upcoming: [{ date: '2026-11-30' }] },
  });
  amended({ payment_terms: { ...terms, count: 4 } });
  await scene.pass(2 * HOUR);
  await becomes('amended', 'active');
  await scene.pass(2 * HOUR);
  expect(agr.view().attention).toEqual([]);
  amended({ payment_terms: terms });
  await becomes('amended', 'active');
  await scene.pass(10 * DAY);
  expect(log()).toEqual([
    '2026-11-02 base.20261102',
    '2026-11-16 base.20261116',
    '2026-11-30 too_many_in_period',
  ]);
});

describe('refusal of a plan', () => {
  test.each<[string, Schedule, string, string]>([
    [
      'date in the past',
      { dates: [{ date: '2026-10-31', amount: 1 }] },
      'plan_date_past',
      '/schedule/dates/0/date',
    ],
    [
      'amount over the maximum',
      {
        dates: [
          { date: '2026-11-02', amount: 1 },
          { date: '2026-11-03', amount: 25_001 },
        ],
      },
      'amount_over_maximum',
      '/schedule/dates/1/date',
    ],
    [
      'date after validity',
      { dates: [{ date: '2027-01-01', amount: 1 }] },
      'after_validity',
      '/schedule/dates/0/date',
    ],
    ['no valid date', { every: 'weekly', from: '2027-01-01', amount: 1 }, 'plan_empty', '/schedule'],
  ])('points to the first invalid date: %s', async (_what, schedule, code, pointer) => {
    const { agr } = await anAgreement({ validity_end_date: '2026-12-31' });
    const error = await agr.putPlan(planOf(schedule)).catch((thrown: unknown) => thrown);
    expect(refusalIn(error)).toBe(code);
    expect(error).toMatchObject({ details: [{ pointer }] });
    expect(agr.view().plan).toBeUndefined();
  });

  test('plans no payments once the agreement has ended', async () => {
    const { agr, becomes, scene } = await anAgreement();
    await agr.putPlan(planOf(DAILY));
    await becomes('cancelled', 'cancelled');
    await scene.pass(3 * DAY);
    expect(agr.isOver()).toBe(true);
    expect(agr.view()).toMatchObject({ plan: { upcoming: [], log: [] } });
  });
});
