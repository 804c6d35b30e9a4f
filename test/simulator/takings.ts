// Checks what the provider has taken against the terms that the payer accepted.
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { allowanceOf } from '../../domain/terms/periods.js';
import { BEGIN_MS } from './terms.js';
import type { Day } from '../../domain/time/calendar.js';
import type { Takings, Invariant } from './chronicle.js';
import type { Life } from './life.js';

export function takingsOf({ scenario, there, isAnothers }: Life): Takings | undefined {
  const { terms } = scenario;
  if (terms === undefined) return undefined;
  const taken = [...there].flatMap(([uid, one]) => {
    const atMs = one.takenAtMs();
    return atMs === undefined || isAnothers(uid) || uid.startsWith('pay-foreign') ? [] : [{ uid, atMs }];
  });
  return {
    terms,
    taken: taken
      .sort((one, other) => one.atMs - other.atMs)
      .map(({ uid, atMs }) => ({ uid, day: dayOf(atMs) })),
  };
}

const dayOf = (atMs: number): Day => sydneyDayOf(new Date(atMs).toISOString());

export const noMoreIsTakenThanAgreed: Invariant = ({ takings }) => {
  if (takings === undefined) return undefined;
  const { terms, taken } = takings;
  const days = taken.map(({ day }) => day);
  // Every payment of a life with balloon terms is requested as the last one.
  if (terms.type === 'balloon' && taken.length > 1)
    return `the last payment was taken ${taken.length} times: ${taken.map(({ uid }) => uid).join(', ')}`;
  const anchored = { terms, anchors: [dayOf(BEGIN_MS), days[0]] };
  for (const [index, { uid, day }] of taken.entries()) {
    const allowance = allowanceOf(anchored, days.slice(0, index), day);
    if (allowance !== undefined && allowance.used >= allowance.allowed)
      return `${uid} was taken on ${day} although the ${allowance.period} had ${allowance.used} of ${allowance.allowed} payments`;
  }
  return undefined;
};
