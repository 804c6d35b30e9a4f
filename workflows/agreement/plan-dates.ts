// What becomes of each date of a plan: its payment is requested, owed until it can be taken, or left out. Plain JSON and pure.
import { lower } from '../../domain/attention/flags.js';
import {
  dueDayOf,
  lastChanceOf,
  type DuePayment,
  type OwedPayment,
  type Plan,
  type PlanEntry,
  type PlannedPayment,
  type StartingPayment,
} from '../../domain/agreement/plan.js';
import { addDays, type Day } from '../../domain/time/calendar.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { refusalOf } from '../../domain/terms/judge.js';
import { judgementOf } from '../../domain/terms/judgement.js';
import { isTemporary } from '../../domain/terms/rules.js';
import { raiseFlag } from '../engine/flags.js';
import { addPayment, dropPayment } from './ledger.js';
import { decidesAlone } from './payments.js';
import { dueUpTo, nextDue, orderOf } from './schedule.js';
import { termsStatusOf } from './terms.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import { isRequested, type Remembered } from '../../domain/records/remembered.js';
import type { PaymentView } from '../payment/contract.js';
import type { Opened } from './opening.js';
import type { AgreementState } from './state.js';

type Why = NonNullable<PlanEntry['reason']>;

const MAX_LOG_ENTRIES = 20;
/** How long until we try again to start a payment whose uid is held by a run that does not answer. */
const UNCLEAR_MS = 10 * 60 * 1000;

/** A planned time has passed, or an owed payment can be taken. Only the latest due payment is taken, so an outage never causes two. */
export function requestDuePayment(state: AgreementState, now: Instant): AgreementState {
  const { plan } = state;
  if (plan === undefined) return { ...state };
  if (plan.starting !== undefined)
    return { ...state, plan: { ...plan, starting: { ...plan.starting, again: undefined } } };
  const due = dueUpTo(state, sydneyDayOf(now));
  const all = plan.owed === undefined ? due : [plan.owed, ...due];
  const newest = all.at(-1);
  if (newest === undefined) return { ...state };
  const settled = { ...plan, doneUpTo: due.at(-1)?.date ?? plan.doneUpTo, owed: undefined };
  const missed = all
    .slice(0, -1)
    .reduce<AgreementState>((after, older) => applyMissed(after, older, now), { ...state, plan: settled });
  return requestPlannedPayment(missed, newest, now);
}

const MISSED = { code: 'missed', detail: 'No payment could be taken on its day.' };

/** A later date has replaced it. If the log already has a reason that needs no attention, that stays so. */
function applyMissed(state: AgreementState, planned: DuePayment, now: Instant): AgreementState {
  const before = state.plan?.log.findLast(({ date }) => date === planned.date)?.reason;
  const missed = record(state, { ...plannedIn(planned), at: now, reason: MISSED });
  return flagDate(missed, planned, before !== undefined && isExpected(before) ? before : MISSED, now);
}

/**
 * Adds the payment to the ledger, to be started at once. Otherwise records why it is left out or owed.
 * @param checked the uid for it: the records have nothing under it.
 */
function requestPlannedPayment(
  state: AgreementState,
  planned: DuePayment,
  now: Instant,
  checked?: string,
): AgreementState {
  const { plan } = state;
  if (plan === undefined) return state;
  const { date, amount } = planned;
  const { uid, isFree } = checked === undefined ? uidOn(date, plan, state) : { uid: checked, isFree: true };
  if (!isFree) return applyExisting(state, planned, uid, now);
  if (plan.onMissed === 'skip' && lastChanceOf(planned) < sydneyDayOf(now))
    return leaveOut(state, planned, MISSED, now);
  // Its own check takes seconds, once the records are back.
  if (state.isUnchecked === true) return { ...state, plan: { ...plan, owed: planned } };
  const order = orderOf(plan, planned);
  const status = termsStatusOf(state);
  const refusal = refusalOf(status, order, now);
  if (refusal !== undefined) {
    const { code, detail } = refusal;
    // A look-up is due, which takes seconds.
    if (code === 'agreement_held') return { ...state, plan: { ...plan, owed: planned } };
    return plan.onMissed === 'catch_up_one' && isTemporary(status, code)
      ? owe(state, planned, { code, detail }, now)
      : leaveOut(state, planned, { code, detail }, now);
  }
  const { handling, by: requestedBy } = plan;
  const judged = judgementOf(status, now);
  const isChecked = checked !== undefined || undefined;
  const starting = { uid, planned, order, handling, requestedBy, judged, isChecked };
  return {
    ...addPayment(state, { uid, amount, requestedAt: now, ...lastOf(planned) }),
    plan: { ...plan, starting },
  };
}

/**
 * The uid for a date: that of its latest payment, or the next free one if all earlier payments were not sent.
 * @param taken a uid that belongs to another payment. The search continues after it.
 */
function uidOn(
  date: Day,
  { uidBase }: Plan,
  { ledger }: AgreementState,
  taken = '',
): { uid: string; isFree: boolean } {
  const first = `${uidBase}.${date.replaceAll('-', '')}`;
  const tried = taken === first ? 1 : Number(taken.slice(first.length + 1)) || 0;
  for (let n = tried + 1; ; n += 1) {
    const uid = n === 1 ? first : `${first}.${n}`;
    const entry = ledger.find((one) => one.uid === uid);
    if (entry?.outcome !== 'not_sent') return { uid, isFree: entry === undefined };
  }
}

function applyExisting(
  state: AgreementState,
  planned: DuePayment,
  uid: string,
  now: Instant,
): AgreementState {
  const detail = `Payment ${uid} was requested before.`;
  return record(state, { ...plannedIn(planned), at: now, reason: { code: 'payment_exists', detail } });
}

const lastOf = ({ last_payment }: PlannedPayment): { isLast?: true } =>
  last_payment === true ? { isLast: true } : {};

/** Adds an entry to the log. It replaces an earlier one of the same date for which no payment was requested. */
function record(state: AgreementState, entry: PlanEntry): AgreementState {
  const { plan } = state;
  if (plan === undefined) return state;
  const others = plan.log.filter(({ date, uid }) => date !== entry.date || uid !== undefined);
  return { ...state, plan: { ...plan, log: [...others, entry].slice(-MAX_LOG_ENTRIES) } };
}

const plannedIn = ({ date, amount, last_payment, takenOn, notMoved }: DuePayment): DuePayment => ({
  ...{ date, amount },
  ...(last_payment !== undefined && { last_payment }),
  ...(takenOn !== undefined && { takenOn }),
  ...(notMoved !== undefined && { notMoved }),
});

const leaveOut = (state: AgreementState, planned: DuePayment, why: Why, now: Instant): AgreementState =>
  flagDate(record(state, { ...plannedIn(planned), at: now, reason: why }), planned, why, now);

function owe(state: AgreementState, owed: OwedPayment, why: Why, now: Instant): AgreementState {
  const noted = record(state, { ...plannedIn(owed), at: now, reason: why });
  const after = noted.plan && { ...noted.plan, owed };
  return flagDate({ ...noted, plan: after }, owed, why, now);
}

/** The agreement's state shows this reason, or a caller gave it. So it needs no attention. */
const isExpected = ({ code }: Why): boolean => code === 'agreement_not_active' || code === 'withdrawn';

/** Raises the flag `plan` for a date of which nothing was taken, unless it is raised already. */
function flagDate(
  state: AgreementState,
  { date, amount }: PlannedPayment,
  why: Why,
  now: Instant,
): AgreementState {
  if (isExpected(why)) return state;
  const detail = `The payment planned for ${date} (${amount} cents) was not taken (${why.code}): ${why.detail}`;
  const next =
    state.plan?.owed?.date === date
      ? 'We take it as soon as possible, unless the next date is due by then. If that does not happen, find out why it was not taken.'
      : 'The plan does not take it any more. If it is still due, request it as a payment of its own. Then resolve this flag.';
  return raisePlanFlag(state, { detail, next }, now, date);
}

/** @param date the flag is lowered once its payment has ended at the provider. Without one, an operator must resolve it. */
function raisePlanFlag(
  state: AgreementState,
  texts: { detail: string; next: string },
  now: Instant,
  date?: Day,
): AgreementState {
  const { plan, attention } = state;
  if (plan === undefined || attention.some(({ code }) => code === 'plan')) return state;
  return raiseFlag({ ...state, plan: { ...plan, flagged: { date, since: now } } }, 'plan', now, texts);
}

/** Whether the flag `plan` is raised because the payment of a date was not taken. */
export const isFlaggedForDate = ({ plan, attention }: AgreementState): boolean =>
  attention.some(({ code, since }) => code === 'plan' && since === plan?.flagged?.since);

/** A plan that is replaced or ended drops what it owes, what waits for the records, and what moved from a past date to a later day. */
export function dropOwed(before: AgreementState, why: Why, now: Instant): AgreementState {
  const { plan } = before;
  const { starting } = plan ?? {};
  const isWaiting = starting !== undefined && waitsForRecords(before, starting);
  const state = isWaiting ? leaveOut(dropStarting(before, starting.uid), starting.planned, why, now) : before;
  const after = dropMoved(state, why, now);
  if (after.plan?.owed === undefined) return after;
  return leaveOut({ ...after, plan: { ...after.plan, owed: undefined } }, after.plan.owed, why, now);
}

/** The date of a payment that moved to a later day may have passed, so that a new plan cannot have it. */
function dropMoved(state: AgreementState, why: Why, now: Instant): AgreementState {
  const [today, next] = [sydneyDayOf(now), nextDue(state)];
  if (state.plan === undefined || next === undefined || next.date >= today || dueDayOf(next) < today)
    return state;
  return leaveOut({ ...state, plan: { ...state.plan, doneUpTo: next.date } }, next, why, now);
}

/** Whether only the records can tell if the payment was taken before. */
export const waitsForRecords = (state: AgreementState, { isChecked }: StartingPayment): boolean =>
  isChecked !== true && !decidesAlone(state);

const dropStarting = ({ plan, ...state }: AgreementState, uid: string): AgreementState =>
  dropPayment({ ...state, ...(plan && { plan: { ...plan, starting: undefined } }) }, uid);

/**
 * The payment's workflow is running: it was started now, or before this agreement's run was reset. If its uid belongs to another payment, the date
 * gets another uid. If that is unclear, nothing is taken: the payment may be ours.
 */
export function applyStart(state: AgreementState, opened: Opened, now: Instant): AgreementState {
  const { plan } = state;
  if (plan?.starting === undefined) return { ...state };
  const { uid, planned } = plan.starting;
  switch (opened.outcome) {
    case 'ours': {
      const { amount, requestedAt } = opened;
      const found = addPayment(dropPayment(state, uid), { uid, amount, requestedAt, ...lastOf(planned) });
      return applyStart(found, { outcome: 'started' }, now);
    }
    case 'started':
      return record(
        { ...state, plan: { ...plan, starting: undefined } },
        { ...plannedIn(planned), at: now, uid },
      );
    case 'unclear': {
      const again = new Date(Date.parse(now) + UNCLEAR_MS).toISOString();
      const detail = `The workflow payment/${uid} has the uid of the payment planned for ${planned.date}, and does not answer. It may be that payment.`;
      const next = 'Nothing is taken until it answers. Find out in Temporal’s UI why it does not.';
      const waiting = { ...state, plan: { ...plan, starting: { ...plan.starting, again } } };
      return raisePlanFlag(waiting, { detail, next }, now, planned.date);
    }
    case 'taken':
      return giveOtherUid(state, plan.starting, now);
  }
}

/**
 * What the records have under the uid of a planned payment that the agreement may have dropped. They may have been away for long, so what they do not
 * have is judged again, and if a later date is due by then, only that one is taken.
 */
export function applyPlannedCheck(
  state: AgreementState,
  found: Remembered | undefined,
  now: Instant,
): AgreementState {
  const { plan } = state;
  if (plan?.starting === undefined) return { ...state };
  const { uid, planned } = plan.starting;
  const dropped = dropStarting(state, uid);
  if (found?.is === 'gone') return leaveOut(dropped, planned, expired(uid), now);
  if (isRequested(found)) {
    const { order } = found.view as Partial<PaymentView>;
    return order?.agreement_uid === state.uid
      ? applyExisting(dropped, planned, uid, now)
      : applyStart(state, { outcome: 'taken' }, now);
  }
  const later = dueUpTo(state, sydneyDayOf(now));
  return later.length === 0
    ? requestPlannedPayment(dropped, planned, now, uid)
    : requestDuePayment({ ...dropped, plan: { ...plan, starting: undefined, owed: planned } }, now);
}

/** No record shows whose payment that was. */
const expired = (uid: string): Why => ({
  code: 'payment_exists',
  detail: `The records of payment ${uid} have expired, so it was requested before.`,
});

function giveOtherUid(state: AgreementState, starting: StartingPayment, now: Instant): AgreementState {
  const { plan, ledger } = state;
  if (plan === undefined) return state;
  const { uid, planned } = starting;
  const dropped = dropPayment({ ...state, plan: { ...plan, starting: undefined } }, uid);
  const other = uidOn(planned.date, plan, state, uid);
  if (!other.isFree) return applyExisting(dropped, planned, other.uid, now);
  const entry = ledger.find((one) => one.uid === uid) ?? { ...planned, requestedAt: now };
  const moved = addPayment(dropped, { ...entry, uid: other.uid });
  const detail = `The payment ${uid} is not of this agreement, although its uid is of the payment planned for ${planned.date}. That one gets the uid ${other.uid}.`;
  const next = 'Find out who requested that payment, or which event named it. Then resolve this flag.';
  const renamed = { ...starting, uid: other.uid, isChecked: undefined };
  const named = { ...moved, plan: { ...plan, starting: renamed } };
  return raisePlanFlag(named, { detail, next }, now);
}

const GRACE = {
  code: 'in_grace_period',
  detail: 'Its payment failed because the agreement was recently migrated and still in its grace period.',
};

/**
 * A planned payment was not sent, or failed in the agreement's grace period. With `catch_up_one`, the latest one is owed from the next day on: one
 * that was not sent for a temporary reason, and one that the provider does not let us retry. If the next date is due by then, only that one is taken.
 */
export function applyPlannedOutcome(
  state: AgreementState,
  report: PaymentReport,
  now: Instant,
): AgreementState {
  const { plan } = state;
  const entry = plan?.log.find(({ uid }) => uid === report.uid);
  if (plan === undefined || entry === undefined) return state;
  const why = reasonIn(report);
  if (why === undefined) return applyTaken(state, entry, report);
  if (entry.reason !== undefined) return state;
  const { isOwedAfter, ...reason } = why;
  const log = plan.log.map((one) => (one === entry ? { ...entry, reason } : one));
  const noted = { ...state, plan: { ...plan, log } };
  const isGrace = reason.code === GRACE.code;
  const from = addDays(sydneyDayOf(isGrace ? now : report.requestedAt), 1);
  const next = nextDue(state);
  const isCaughtUp =
    isOwedAfter &&
    plan.onMissed === 'catch_up_one' &&
    [plan.ended, plan.owed, plan.starting].every((other) => other === undefined) &&
    plan.log.every(({ date }) => date <= entry.date) &&
    (next === undefined || dueDayOf(next) > from);
  const owed = {
    ...plannedIn(entry),
    from,
    instead: report.uid,
    ...(isGrace && { date: from, takenOn: undefined, notMoved: undefined }),
  };
  const after = isCaughtUp ? { ...noted, plan: { ...noted.plan, owed } } : noted;
  return isGrace ? after : flagDate(after, entry, reason, now);
}

function reasonIn({
  outcome,
  unsentFor = { code: 'not_sent', detail: 'Its payment was not sent.' },
  graceFailures = 0,
  isRetryable,
}: PaymentReport): (Why & { isOwedAfter: boolean }) | undefined {
  const { isTemporary: isOwedAfter = false, ...why } = unsentFor;
  if (outcome === 'not_sent') return { ...why, isOwedAfter };
  return outcome === 'failed' && graceFailures > 0 && isRetryable !== true
    ? { ...GRACE, isOwedAfter: true }
    : undefined;
}

/** The payment of an entry is in flight or has ended at the provider. If it did not look so before, nothing is owed in its place. */
function applyTaken(state: AgreementState, entry: PlanEntry, { outcome }: PaymentReport): AgreementState {
  const { plan } = state;
  if (plan === undefined) return state;
  const { reason, ...taken } = entry;
  const log = reason === undefined ? plan.log : plan.log.map((one) => (one === entry ? taken : one));
  const owed = plan.owed?.instead === entry.uid ? undefined : plan.owed;
  const after = { ...state, plan: { ...plan, log, owed } };
  return outcome !== 'in_flight' && plan.flagged?.date === entry.date && isFlaggedForDate(state)
    ? { ...after, attention: lower(state.attention, 'plan') }
    : after;
}
