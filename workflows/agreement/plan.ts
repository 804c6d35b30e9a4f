// A plan of payments under an agreement: its validation, its steps, and what the terms say about its dates. plan-dates.ts has what becomes of each
// date. Plain JSON and pure.
import { planId } from '../../domain/commands/ids.js';
import { lower } from '../../domain/attention/flags.js';
import { isFinal } from '../../domain/agreement/lifecycle.js';
import { isSame } from '../../domain/commands/differences.js';
import {
  MOST_PLANNED,
  dayBefore,
  dueDayOf,
  firstOf,
  plannedAfter,
  type Plan,
  type PlanRequest,
  type Schedule,
  type StartingPayment,
} from '../../domain/agreement/plan.js';
import { sydneyDayOf, sydneyTime } from '../../domain/time/sydney.js';
import { takesPayments } from '../../domain/terms/rules.js';
import { applyLocalFact } from '../resource/attention.js';
import { spreadOf } from '../resource/blocked.js';
import { refused } from '../engine/refusal.js';
import { raiseFlag } from '../engine/flags.js';
import { dropOwed, isFlaggedForDate, waitsForRecords } from './plan-dates.js';
import { foreseenIn, lastDayOf, nextDue, remaining } from './schedule.js';
import { stateOf, type AgreementState } from './state.js';
import { termsStatusOf } from './terms.js';
import type { Day } from '../../domain/time/calendar.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Foreseen } from '../../domain/terms/planned.js';

export type PlanStep =
  | { do: 'await_plan'; date: Day; at: Instant }
  | ({ do: 'start_planned' } & StartingPayment)
  | { do: 'check_planned'; uid: string };

const HOUR_MS = 60 * 60 * 1000;
/** Payments start between 9 and 10 a.m. in Sydney, at a fixed time for each agreement. */
const MORNING_MS = 9 * HOUR_MS;

const timeOf = (uid: string, date: Day): Instant => sydneyTime(date, MORNING_MS + spreadOf(uid) * HOUR_MS);

/**
 * Always accepts a repeat.
 * @throws ApplicationFailure `agreement_final`, `plan_date_past` or `plan_empty`. If the terms forbid dates: the code of the rule that forbids the
 * first of them, with the pointer of that date.
 */
export function validatePlan(state: AgreementState, request: PlanRequest, now: Instant): void {
  if (isInForce(state, request)) return;
  if (isFinal(stateOf(state)))
    throw refused(
      'agreement_final',
      'The agreement has ended, so it accepts no plan. Expected an agreement that has not ended.',
    );
  const { schedule } = request;
  const today = sydneyDayOf(now);
  const planned = firstOf(plannedAfter(schedule, undefined, lastDayOf(state)), MOST_PLANNED);
  const pointerOf = (index: number): string =>
    'dates' in schedule ? `/schedule/dates/${index}/date` : '/schedule/from';
  if (planned.length === 0)
    throw refused(
      'plan_empty',
      'The plan contains no payment. Expected at least one date on which the terms allow one.',
      {
        pointer: '/schedule',
      },
    );
  const past = planned.findIndex(({ date }) => date < today);
  if (past !== -1)
    throw refused(
      'plan_date_past',
      `The date ${planned[past]?.date} has passed. Expected dates from today (${today}) on.`,
      {
        pointer: pointerOf(past),
      },
    );
  const judged = foreseenIn(state, request, planned, today);
  const first = judged.findIndex(({ refusal }) => refusal !== undefined);
  const { date, refusal } = judged[first] ?? {};
  if (refusal === undefined) return;
  const { code, detail, limit, met, passesFrom } = refusal;
  throw refused(code, `On ${date}: ${detail}`, { pointer: pointerOf(first), limit, met, passesFrom });
}

function isInForce({ plan }: AgreementState, request: PlanRequest): boolean {
  if (plan === undefined || plan.ended !== undefined) return false;
  const { schedule, onMissed, onHoliday, order, handling, uidBase } = plan;
  const { by, ...requested } = request;
  return isSame({ schedule, onMissed, onHoliday, order, handling, uidBase }, requested);
}

/**
 * Replaces the plan. Returns the same state if it is in force. A date of both plans is paid again only if its earlier payment was not sent. A
 * payment that the old plan owed, or that waits for the records, is dropped, and the log and the flag say so.
 */
export function setPlan(state: AgreementState, request: PlanRequest, now: Instant): AgreementState {
  if (isInForce(state, request)) return state;
  const dropped = dropOwed(state, REPLACED, now);
  const { log = [], starting, flagged, version: before = 0 } = dropped.plan ?? {};
  const doneUpTo = dayBefore(sydneyDayOf(now));
  const version = before + 1;
  const plan: Plan = { ...request, since: now, version, doneUpTo, log, starting, flagged };
  const detail = { by: request.by, schedule: scheduleInWords(request.schedule) };
  const noted = applyLocalFact(dropped, planId(version, 'put'), 'planned', now, detail);
  return flagForbiddenDates({ ...noted, plan }, now);
}

/** A short description for the timeline. */
function scheduleInWords(schedule: Schedule): string {
  if ('dates' in schedule) return `${schedule.dates.length} dates, the first ${schedule.dates[0]?.date}`;
  const { every, from, until, amount } = schedule;
  return `${every} from ${from}${until === undefined ? '' : ` until ${until}`}, ${amount} cents each`;
}

/** @throws ApplicationFailure `no_plan` */
export function validatePlanEnd({ plan }: AgreementState): void {
  if (plan === undefined) throw refused('no_plan', 'The agreement has no plan to end.');
}

/** Ends the plan. The first call counts, and payments already taken are not reversed. */
export function markPlanEnded(state: AgreementState, { by }: { by: string }, now: Instant): AgreementState {
  if (state.plan === undefined || state.plan.ended !== undefined) return state;
  const dropped = dropOwed(state, ENDED, now);
  const noted = applyLocalFact(dropped, planId(state.plan.version, 'ended'), 'plan_ended', now, { by });
  const plan = dropped.plan && { ...dropped.plan, ended: { at: now, by } };
  return flagForbiddenDates({ ...noted, plan }, now);
}

const REPLACED = {
  code: 'plan_replaced',
  detail: 'The plan was replaced before this payment could be taken.',
};
const ENDED = { code: 'plan_ended', detail: 'The plan was ended before this payment could be taken.' };

/** The step that the plan needs. None once the agreement has ended. */
export function planSteps(state: AgreementState): PlanStep[] {
  const { uid, plan } = state;
  if (plan === undefined) return [];
  const { starting, owed } = plan;
  if (starting?.again !== undefined)
    return [{ do: 'await_plan', date: starting.planned.date, at: starting.again }];
  if (starting !== undefined)
    return waitsForRecords(state, starting)
      ? [{ do: 'check_planned', uid: starting.uid }]
      : [{ do: 'start_planned', ...starting }];
  const next = nextDue(state);
  if (owed !== undefined && state.isUnchecked !== true && takesPayments(termsStatusOf(state)))
    return [{ do: 'await_plan', date: owed.date, at: timeOf(uid, owed.from ?? dueDayOf(owed)) }];
  return next === undefined ? [] : [{ do: 'await_plan', date: next.date, at: timeOf(uid, dueDayOf(next)) }];
}

const AHEAD = 10;

/** The next ten dates, each with the refusal it would get under the current terms. */
export const upcoming = (state: AgreementState): Foreseen[] =>
  state.plan === undefined
    ? []
    : foreseenIn(state, state.plan, remaining(state, AHEAD), sydneyDayOf(state.plan.since));

/** The terms may have changed. Raises a flag for planned dates that they forbid, or lowers it if they allow all. */
export function flagForbiddenDates(state: AgreementState, now: Instant): AgreementState {
  const forbidden = upcoming(state).filter(({ refusal }) => refusal !== undefined);
  const [first] = forbidden;
  // A date of which nothing was taken stays flagged.
  const calm = isFlaggedForDate(state) ? state : { ...state, attention: lower(state.attention, 'plan') };
  if (first?.refusal === undefined) return calm;
  return raiseFlag(calm, 'plan', now, {
    detail: `The terms forbid ${forbidden.length} of the next planned payments. The first is due on ${first.date}: ${first.refusal.detail}`,
    next: 'Change the plan or amend the agreement. We skip payments that the terms forbid on their day.',
  });
}

/** Warnings for a person who views the plan. */
export function planWarnings(state: AgreementState): string[] {
  const { plan } = state;
  if (plan === undefined || plan.ended !== undefined) return [];
  const dropped = plan.log.filter(({ reason, at }) => reason?.code === REPLACED.code && at === plan.since);
  return [
    ...dropped.map(
      ({ date, amount }) =>
        `The previous plan still owed the payment of ${date} (${amount} cents), which this plan does not take. Request it yourself if it is still due.`,
    ),
    ...roomForRetries(state, plan),
  ];
}

function roomForRetries(state: AgreementState, plan: Plan): string[] {
  const end = state.mandate?.validity_end_date;
  if (typeof end !== 'string') return [];
  const last = firstOf(plannedAfter(plan.schedule, plan.doneUpTo, lastDayOf(state)), MOST_PLANNED).at(-1);
  return last === undefined || last.date < dayBefore(end)
    ? []
    : [`The last date, ${last.date}, leaves no room for retries before validity ends on ${end}.`];
}
