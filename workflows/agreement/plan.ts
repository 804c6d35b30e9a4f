// A plan of payments under an agreement: the payments of each day, and the reasons for skipped ones. Plain JSON and pure.
import { planId } from '../../domain/commands/ids.js';
import { lower } from '../../domain/attention/flags.js';
import { isFinal } from '../../domain/agreement/lifecycle.js';
import { isSame } from '../../domain/commands/differences.js';
import { MOST_PLANNED, dayBefore, firstOf, plannedAfter, plannedUpTo } from '../../domain/agreement/plan.js';
import { addDays } from '../../domain/time/calendar.js';
import { sydneyDayOf, sydneyTime } from '../../domain/time/sydney.js';
import { refusalOf } from '../../domain/terms/judge.js';
import { judgementOf } from '../../domain/terms/judgement.js';
import { foreseen } from '../../domain/terms/planned.js';
import { recordLocalFact } from '../entity/resource/attention.js';
import { spreadOf } from '../entity/resource/blocked.js';
import { refused } from '../entity/engine/refusal.js';
import { raiseFlag } from '../entity/resource/state.js';
import { addPayment } from './ledger.js';
import { termsStatusOf, stateOf } from './state.js';
import type { Day } from '../../domain/time/calendar.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import type { Plan, PlanEntry, PlanRequest, PlannedPayment, Schedule } from '../../domain/agreement/plan.js';
import type { Foreseen } from '../../domain/terms/planned.js';
import type { AgreementState } from './state.js';

export type PlanStep =
  { do: 'await_plan'; date: Day; at: Instant } | ({ do: 'start_planned' } & NonNullable<Plan['starting']>);

const MAX_LOG_ENTRIES = 20;
const HOUR_MS = 60 * 60 * 1000;
/** Payments start between 9 and 10 a.m. in Sydney, at a fixed time for each agreement. */
const MORNING_MS = 9 * HOUR_MS;

const timeOf = (uid: string, date: Day): Instant => sydneyTime(date, MORNING_MS + spreadOf(uid) * HOUR_MS);

const orderOf = ({ order }: PlanRequest, { amount, last_payment }: PlannedPayment): PaymentOrder => ({
  ...order,
  amount,
  ...(last_payment !== undefined && { last_payment }),
});

/** The last day on which the terms allow a payment. A recurring plan ends on it. */
function lastDayOf({ mandate }: AgreementState): Day | undefined {
  const days = [mandate?.validity_end_date, mandate?.payment_terms?.last_payment_date];
  return days.filter((day) => typeof day === 'string').toSorted()[0];
}

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
  const judged = foreseen(termsStatusOf(state), (one) => orderOf(request, one), planned);
  const first = judged.findIndex(({ refusal }) => refusal !== undefined);
  const { date, refusal } = judged[first] ?? {};
  if (refusal === undefined) return;
  const { code, detail, limit, met, passesFrom } = refusal;
  throw refused(code, `On ${date}: ${detail}`, { pointer: pointerOf(first), limit, met, passesFrom });
}

function isInForce({ plan }: AgreementState, request: PlanRequest): boolean {
  if (plan === undefined || plan.ended !== undefined) return false;
  const { schedule, onMissed, order, handling, uidBase } = plan;
  const { by, ...requested } = request;
  return isSame({ schedule, onMissed, order, handling, uidBase }, requested);
}

/** Replaces the plan. Returns the same state if it is in force. A date of both plans is paid again only if its earlier payment was not sent. */
export function setPlan(state: AgreementState, request: PlanRequest, now: Instant): AgreementState {
  if (isInForce(state, request)) return state;
  const { log = [], starting, version: before = 0 } = state.plan ?? {};
  const doneUpTo = dayBefore(sydneyDayOf(now));
  const version = before + 1;
  const plan: Plan = { ...request, since: now, version, doneUpTo, log, starting };
  const detail = { by: request.by, schedule: scheduleInWords(request.schedule) };
  return flagForbiddenDates(
    { ...recordLocalFact(state, planId(version, 'put'), 'planned', now, detail), plan },
    now,
  );
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
  const { plan } = state;
  if (plan === undefined || plan.ended !== undefined) return state;
  const noted = recordLocalFact(state, planId(plan.version, 'ended'), 'plan_ended', now, { by });
  return flagForbiddenDates({ ...noted, plan: { ...plan, owed: undefined, ended: { at: now, by } } }, now);
}

/** The step that the plan needs. None once the agreement has ended. */
export function planSteps(state: AgreementState): PlanStep[] {
  const { uid, plan } = state;
  if (plan === undefined) return [];
  if (plan.starting !== undefined) return [{ do: 'start_planned', ...plan.starting }];
  const [next] = remaining(state, 1);
  const planned = plan.owed !== undefined && isDueNow(state) ? plan.owed : next;
  return planned === undefined
    ? []
    : [{ do: 'await_plan', date: planned.date, at: timeOf(uid, planned.date) }];
}

/** The next `count` dates. None once the plan or the agreement has ended. */
export function remaining(state: AgreementState, count: number): PlannedPayment[] {
  const { plan } = state;
  if (plan === undefined || plan.ended !== undefined || isFinal(stateOf(state))) return [];
  return firstOf(plannedAfter(plan.schedule, plan.doneUpTo, lastDayOf(state)), count);
}

function isDueNow(state: AgreementState): boolean {
  const { state: lifecycleState, isInDoubt, isContested, mandate } = termsStatusOf(state);
  return lifecycleState === 'active' && !isInDoubt && !isContested && mandate !== undefined;
}

/** A planned time has passed, or an owed payment can be taken. Only the latest due payment is taken, so an outage never causes two. */
export function requestDuePayment(state: AgreementState, now: Instant): AgreementState {
  const { plan } = state;
  if (plan === undefined) return { ...state };
  const today = sydneyDayOf(now);
  const due = plannedUpTo(plan.schedule, plan.doneUpTo, today, lastDayOf(state));
  const all = plan.owed === undefined ? due : [plan.owed, ...due];
  const newest = all.at(-1);
  if (newest === undefined) return { ...state };
  const older = all.slice(0, -1).map((planned) => ({ ...planned, at: now, reason: MISSED }));
  const doneUpTo = due.at(-1)?.date ?? plan.doneUpTo;
  const settled = {
    ...plan,
    doneUpTo,
    owed: undefined,
    log: [...plan.log, ...older].slice(-MAX_LOG_ENTRIES),
  };
  return requestPlannedPayment({ ...state, plan: settled }, settled, newest, now);
}

const MISSED = { code: 'missed', detail: 'No payment could be taken on its day.' };

/** Adds the payment to the ledger, to be started at once. Otherwise records why it is skipped or owed. */
function requestPlannedPayment(
  state: AgreementState,
  plan: Plan,
  planned: PlannedPayment,
  now: Instant,
): AgreementState {
  const { date, amount } = planned;
  const leftOut = (reason: NonNullable<PlanEntry['reason']>): AgreementState =>
    addLogEntry(state, plan, { ...planned, at: now, reason });
  const { uid, isFree } = uidOn(date, plan, state);
  if (!isFree) return leftOut({ code: 'payment_exists', detail: `Payment ${uid} was requested before.` });
  if (plan.onMissed === 'skip' && date < sydneyDayOf(now)) return leftOut(MISSED);
  const order = orderOf(plan, planned);
  const status = termsStatusOf(state);
  const refusal = refusalOf(status, order, now);
  if (refusal === undefined)
    return {
      ...addPayment(state, { uid, amount, requestedAt: now, ...lastOf(planned) }),
      plan: {
        ...plan,
        starting: {
          ...{ uid, planned, order, handling: plan.handling },
          ...{ requestedBy: plan.by, judged: judgementOf(status, now) },
        },
      },
    };
  const { code, detail } = refusal;
  // A look-up is due, or the plan catches up later.
  const isOwed =
    code === 'agreement_held' || (code === 'agreement_not_active' && plan.onMissed === 'catch_up_one');
  return isOwed ? { ...state, plan: { ...plan, owed: planned } } : leftOut({ code, detail });
}

/** The uid for a date: that of its latest payment, or the next free one if all earlier payments were not sent. */
function uidOn(date: Day, { uidBase }: Plan, { ledger }: AgreementState): { uid: string; isFree: boolean } {
  const first = `${uidBase}.${date.replaceAll('-', '')}`;
  for (let n = 1; ; n += 1) {
    const uid = n === 1 ? first : `${first}.${n}`;
    const entry = ledger.find((one) => one.uid === uid);
    if (entry?.outcome !== 'not_sent') return { uid, isFree: entry === undefined };
  }
}

const lastOf = ({ last_payment }: PlannedPayment): { isLast?: true } =>
  last_payment === true ? { isLast: true } : {};

const addLogEntry = (state: AgreementState, plan: Plan, entry: PlanEntry): AgreementState => ({
  ...state,
  plan: { ...plan, starting: undefined, log: [...plan.log, entry].slice(-MAX_LOG_ENTRIES) },
});

/** Records that the payment's workflow is running. It was started now, or before this agreement's run was reset. */
export const markPaymentStarted = (state: AgreementState, now: Instant): AgreementState =>
  state.plan?.starting === undefined
    ? { ...state }
    : addLogEntry(state, state.plan, {
        ...state.plan.starting.planned,
        at: now,
        uid: state.plan.starting.uid,
      });

const GRACE = {
  code: 'in_grace_period',
  detail: 'Its payment failed because the agreement was recently migrated and still in its grace period.',
};

/**
 * A planned payment failed in the agreement's grace period. With `catch_up_one`, the latest one is tried again daily under the uid of that day,
 * because the provider does not retry such a payment. If the next planned date is due by then, only that one is taken.
 */
export function postponeInGracePeriod(
  state: AgreementState,
  { uid, outcome, graceFailures = 0 }: PaymentReport,
  now: Instant,
): AgreementState {
  const { plan } = state;
  const entry = plan?.log.find((one) => one.uid === uid);
  if (plan === undefined || entry === undefined || entry.reason !== undefined) return state;
  if (outcome !== 'failed' || graceFailures === 0) return state;
  const log = plan.log.map((one) => (one === entry ? { ...entry, reason: GRACE } : one));
  const date = addDays(sydneyDayOf(now), 1);
  const [next] = remaining(state, 1);
  const isCaughtUp =
    plan.onMissed === 'catch_up_one' &&
    [plan.ended, plan.owed, plan.starting].every((other) => other === undefined) &&
    entry === plan.log.at(-1) &&
    (next === undefined || next.date > date);
  const owed = isCaughtUp ? { date, amount: entry.amount, last_payment: entry.last_payment } : plan.owed;
  return { ...state, plan: { ...plan, log, owed } };
}

const AHEAD = 10;

/** The next ten dates, each with the refusal it would get under the current terms. */
export function upcoming(state: AgreementState): Foreseen[] {
  const { plan } = state;
  const next = remaining(state, AHEAD);
  if (plan === undefined || next.length === 0) return [];
  return foreseen(termsStatusOf(state), (one) => orderOf(plan, one), next);
}

/** The terms may have changed. Raises a flag for planned dates that they forbid, or lowers it if they allow all. */
export function flagForbiddenDates(state: AgreementState, now: Instant): AgreementState {
  const forbidden = upcoming(state).filter(({ refusal }) => refusal !== undefined);
  const [first] = forbidden;
  const calm = { ...state, attention: lower(state.attention, 'plan') };
  if (first?.refusal === undefined) return calm;
  return raiseFlag(calm, 'plan', now, {
    detail: `The terms forbid ${forbidden.length} of the next planned payments. The first is due on ${first.date}: ${first.refusal.detail}`,
    next: 'Change the plan or amend the agreement. We skip payments that the terms forbid on their day.',
  });
}

/** Warnings for a person who views the plan. */
export function planWarnings(state: AgreementState): string[] {
  const { plan, mandate } = state;
  const end = mandate?.validity_end_date;
  if (plan === undefined || plan.ended !== undefined || typeof end !== 'string') return [];
  const last = firstOf(plannedAfter(plan.schedule, plan.doneUpTo, lastDayOf(state)), MOST_PLANNED).at(-1);
  return last === undefined || last.date < dayBefore(end)
    ? []
    : [`The last date, ${last.date}, leaves no room for retries before validity ends on ${end}.`];
}
