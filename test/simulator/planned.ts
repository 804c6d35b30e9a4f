// Compares the log of an agreement's plan with the payments at the provider.
import { dueByCalendar } from '../../domain/agreement/plan-holidays.js';
import {
  MOST_PLANNED,
  dayBefore,
  dueDayOf,
  firstOf,
  lastChanceOf,
  plannedAfter,
} from '../../domain/agreement/plan.js';
import { isFinal } from '../../domain/agreement/lifecycle.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { stateOf } from '../../workflows/agreement/state.js';
import type { DueDate, Invariant } from './chronicle.js';
import type { Life } from './life.js';

/** A planned date on which a payment was due. */
export function dueDatesOf({ agreement, there, localNow }: Life): DueDate[] {
  const state = agreement()?.state();
  const { plan, ledger } = state ?? {};
  if (state === undefined || plan === undefined || ledger === undefined) return [];
  const yesterday = dayBefore(sydneyDayOf(localNow()));
  const isUnsent = (uid: string | undefined): boolean =>
    uid !== undefined &&
    there.get(uid)?.shown() === undefined &&
    ledger.find((entry) => entry.uid === uid)?.outcome === 'not_sent';
  const since = sydneyDayOf(plan.since);
  return firstOf(plannedAfter(plan.schedule, dayBefore(since)), MOST_PLANNED)
    .map((planned) => dueByCalendar(plan, planned, since))
    .filter((due) => due.date <= plan.doneUpTo || lastChanceOf(due) <= yesterday)
    .map((due) => ({ date: due.date, dueOn: dueDayOf(due) }))
    .map(({ date, dueOn }) => ({
      ...{ date, dueOn },
      isPending: [plan.owed, plan.starting?.planned].some((pending) => pending?.date === date),
      isOver: plan.ended !== undefined || isFinal(stateOf(state)),
      entries: plan.log
        .filter((entry) => entry.date === date)
        .map(({ uid, reason, at, notMoved }) => ({
          ...{ uid, reason: reason?.code, isUnsent: isUnsent(uid) },
          ...{ on: sydneyDayOf(at), isOnItsDate: notMoved !== undefined },
        })),
      received: [...there]
        .filter(
          ([uid, one]) =>
            uid.startsWith(`${plan.uidBase}.${date.replaceAll('-', '')}`) && one.shown() !== undefined,
        )
        .map(([uid]) => uid),
    }));
}

export const noPlannedDateIsLost: Invariant = ({ dueDates }) => {
  for (const { date, isPending, isOver, entries } of dueDates) {
    const newest = entries.at(-1);
    if (isPending) continue;
    if (newest === undefined && !isOver)
      return `the plan has no entry for ${date}, which is neither taken nor owed`;
    if (newest?.reason === undefined && newest?.isUnsent === true)
      return `the plan's log shows ${newest.uid} as requested on ${date}, but it was never sent, and the date is not owed`;
  }
  return undefined;
};

export const noPlannedDateIsTakenEarly: Invariant = ({ dueDates }) => {
  for (const { date, dueOn, entries } of dueDates) {
    const early = entries.find(
      ({ uid, on, isOnItsDate }) => uid !== undefined && on < (isOnItsDate ? date : dueOn),
    );
    if (early) return `${early.uid} was requested on ${early.on}, but it is due on ${dueOn}`;
  }
  return undefined;
};

export const noPlannedDateIsTakenTwice: Invariant = ({ dueDates }) => {
  const twice = dueDates.find(({ received }) => received.length > 1);
  return twice && `${twice.date} was sent more than once: ${twice.received.join(', ')}`;
};
