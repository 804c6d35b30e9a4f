// Compares the log of an agreement's plan with the payments at the provider.
import { MOST_PLANNED, dayBefore, firstOf, plannedAfter } from '../../domain/agreement/plan.js';
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
  const until = plan.doneUpTo > yesterday ? plan.doneUpTo : yesterday;
  const isUnsent = (uid: string | undefined): boolean =>
    uid !== undefined &&
    there.get(uid)?.shown() === undefined &&
    ledger.find((entry) => entry.uid === uid)?.outcome === 'not_sent';
  const planned = plannedAfter(plan.schedule, dayBefore(sydneyDayOf(plan.since)), until);
  return firstOf(planned, MOST_PLANNED)
    .filter(({ date }) => date <= until)
    .map(({ date }) => ({
      date,
      isPending: [plan.owed, plan.starting?.planned].some((pending) => pending?.date === date),
      isOver: plan.ended !== undefined || isFinal(stateOf(state)),
      entries: plan.log
        .filter((entry) => entry.date === date)
        .map(({ uid, reason }) => ({ uid, reason: reason?.code, isUnsent: isUnsent(uid) })),
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

export const noPlannedDateIsTakenTwice: Invariant = ({ dueDates }) => {
  const twice = dueDates.find(({ received }) => received.length > 1);
  return twice && `${twice.date} was sent more than once: ${twice.received.join(', ')}`;
};
