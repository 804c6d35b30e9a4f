import { describe, expect, test } from 'vitest';
import { dueByCalendar } from '../../../domain/agreement/plan-holidays.js';
import {
  dueDayOf,
  neighboursOf,
  type OnHoliday,
  type PlanRequest,
  type Schedule,
} from '../../../domain/agreement/plan.js';
import { A_MANDATE, fetchedAgreement } from '../../support/workflows/provider.js';
import { aFact } from '../../support/facts.js';
import { DAY, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Mandate } from '../../../domain/agreement/mandate.js';

const UID = 'agr-1';
/** A Saturday. */
const SATURDAY = '2026-11-07';

const on = (...dates: string[]): Schedule => ({ dates: dates.map((date) => ({ date, amount: 4200 })) });
const planOf = (onHoliday: OnHoliday, schedule: Schedule, by = 'key-1'): PlanRequest => ({
  ...{ schedule, onHoliday, by, onMissed: 'skip', uidBase: 'base' },
  order: { agreement_uid: UID, priority: 'unattended' },
});

async function anAgreement(changes: Partial<Mandate> = {}) {
  const mandate = { ...A_MANDATE, ...changes };
  const shown = (state: string) => {
    const fetched = fetchedAgreement(UID, state);
    return { ...fetched, snapshot: { ...fetched.snapshot, mandate } };
  };
  const scene = inVirtualTime({
    createAgreement: () => Promise.resolve(shown('created')),
    lookUpAgreement: () => Promise.resolve(shown('active')),
  });
  const agr = await scene.agreement({ uid: UID, mandate });
  await agr.receive(aFact('activated', { publishedAt: scene.now() }));
  const entries = () =>
    agr.view().plan?.log.map(({ date, at, uid, reason, notMoved }) => {
      const moved = notMoved === undefined ? '' : ` (${notMoved.code})`;
      return `${date} at ${at.slice(0, 10)}: ${uid ?? reason?.code ?? ''}${moved}`;
    });
  return { scene, agr, entries };
}

describe('a date on a Saturday', () => {
  test.each([
    // Nine in Sydney is still the day before in UTC.
    ['before', '2026-11-05'],
    ['after', '2026-11-08'],
    ['same', '2026-11-06'],
  ] as const)('is taken on its day by `%s`, with the uid of its date', async (onHoliday, at) => {
    const { scene, agr, entries } = await anAgreement();
    await agr.putPlan(planOf(onHoliday, on(SATURDAY)));
    await scene.pass(20 * DAY);
    expect(entries()).toEqual([`${SATURDAY} at ${at}: base.20261107`]);
  });

  test('stays where it is if the terms forbid the other day, and the plan tells why', async () => {
    const { scene, agr, entries } = await anAgreement({ validity_end_date: '2026-11-08' });
    await agr.putPlan(planOf('after', on(SATURDAY)));
    expect(agr.view().plan?.upcoming).toMatchObject([
      { date: SATURDAY, refusal: undefined, notMoved: { code: 'after_validity' } },
    ]);
    await scene.pass(20 * DAY);
    expect(entries()).toEqual([`${SATURDAY} at 2026-11-06: base.20261107 (after_validity)`]);
  });

  test('that waits for Monday is left out with a reason if the plan is replaced on Sunday', async () => {
    const { scene, agr, entries } = await anAgreement();
    await agr.putPlan(planOf('after', on(SATURDAY, '2026-11-20')));
    await scene.pass(Date.parse('2026-11-08T02:00:00Z') - Date.parse(scene.now()));
    await agr.putPlan(planOf('after', on('2026-11-20'), 'key-2'));
    await scene.pass(5 * DAY);
    expect(entries()).toEqual([`${SATURDAY} at 2026-11-08: plan_replaced`]);
    expect(agr.view().plan?.warnings).toHaveLength(1);
  });
});

describe('the calendar', () => {
  const due = (onHoliday: OnHoliday, schedule: Schedule, date: string, earliest = '2026-01-01') => {
    const one = dueByCalendar({ schedule, onHoliday }, { date, amount: 1 }, earliest);
    return one.notMoved?.code ?? dueDayOf(one);
  };

  test('moves no payment to or past another planned date, or before the plan', () => {
    const daily: Schedule = { every: 'daily', from: '2026-11-01', amount: 1 };
    expect(due('before', daily, SATURDAY)).toBe('planned_date_between');
    expect(due('after', on(SATURDAY, '2026-11-09'), SATURDAY)).toBe('planned_date_between');
    expect(due('after', on(SATURDAY, '2026-11-10'), SATURDAY)).toBe('2026-11-09');
    expect(due('before', on(SATURDAY), SATURDAY, SATURDAY)).toBe('before_plan');
    expect(due('before', on('2026-12-28'), '2026-12-28')).toBe('2026-12-24');
  });

  test('finds the neighbours of a date in a series that starts at the end of a month', () => {
    const monthly: Schedule = { every: 'monthly', from: '2027-01-31', amount: 1 };
    expect(neighboursOf(monthly, '2027-02-28')).toEqual({ previous: '2027-01-31', next: '2027-03-31' });
    expect(neighboursOf(monthly, '2027-01-31').previous).toBeUndefined();
    const last: Schedule = { every: 'daily', from: '2026-11-01', until: SATURDAY, amount: 1 };
    expect(due('after', last, SATURDAY)).toBe('2026-11-09');
  });
});
