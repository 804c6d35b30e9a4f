// Events of a life with a plan of payments over several days, and trouble around its mornings.
import { ON_HOLIDAY, ON_MISSED } from '../../domain/agreement/plan.js';
import type { Chances } from './random.js';
import type { Event, Timed } from './events.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From the start of a life, in the afternoon in Sydney, to the first morning on which planned payments start. */
const FIRST_MORNING_MS = 20 * HOUR;
/** More payments than an agreement may have in flight. */
const CROWD = 6;
/** Days from the start of a life, on a Thursday. The Monday is Labour Day, and the Tuesday is a business day. */
const SATURDAY = 2;
const MONDAY = 4;

export function planEvents(chances: Chances): Timed[] {
  const { between, isOneIn, oneOf } = chances;
  const first = oneOf([0, 1, 1]);
  const days = Array.from({ length: between(1, 3) }, (_, index) => first + index);
  const plannedMs = between(4, 60) * SECOND;
  const mornings = days.map((day) => (day === 0 ? plannedMs : FIRST_MORNING_MS + (day - 1) * DAY));
  const troubles = Array.from({ length: between(1, 2) }, () =>
    someTrouble(chances, mornings[between(0, mornings.length - 1)] ?? plannedMs),
  );
  const onMissed = oneOf([...PREFERRED, ...ON_MISSED]);
  const lastMs = Math.max(...mornings, ...troubles.flat().map(({ atMs }) => atMs));
  const endMs = lastMs + between(2, 18) * HOUR;
  // Drawn last, so that the other lives with a plan stay as they were.
  const aroundWeekend = isOneIn(3)
    ? { days: [...days.slice(0, -1), between(SATURDAY, MONDAY)], onHoliday: oneOf(ON_HOLIDAY) }
    : undefined;
  return [
    { atMs: plannedMs, event: { do: 'schedule', days, onMissed, ...aroundWeekend } },
    ...troubles.flat(),
    {
      atMs: aroundWeekend === undefined ? endMs : Math.max(endMs, FIRST_MORNING_MS + MONDAY * DAY + 6 * HOUR),
      event: { do: 'look_up' },
    },
  ];
}

const PREFERRED = ['catch_up_one'] as const;

type Trouble = (chances: Chances) => { event: Event; until?: Event };

const TROUBLES: readonly [Trouble, ...Trouble[]] = [
  ({ between }) => ({ event: { do: 'stop', forMs: between(HOUR, 30 * HOUR) } }),
  ({ between }) => ({ event: { do: 'stop', forMs: between(HOUR, 30 * HOUR) } }),
  () => ({ event: { do: 'payer', move: 'suspend' }, until: { do: 'payer', move: 'resume' } }),
  () => ({ event: { do: 'consent', by: 'taken' }, until: { do: 'consent', by: 'given' } }),
  () => ({ event: { do: 'consent', by: 'narrowed' }, until: { do: 'consent', by: 'given' } }),
  ({ between }) => ({ event: { do: 'limit', forMs: between(HOUR, 20 * HOUR), code: 'ZPPAY01' } }),
  () => ({ event: { do: 'burst', payments: CROWD } }),
  ({ between }) => ({ event: { do: 'no_worker', of: 'any', forMs: between(HOUR, 20 * HOUR) } }),
  ({ between }) => ({ event: { do: 'outage', forMs: between(MINUTE, 15 * HOUR), fault: 'cut_before' } }),
];

function someTrouble(chances: Chances, morningMs: number): Timed[] {
  const { between, isOneIn, oneOf } = chances;
  const earlyMs = isOneIn(3) ? between(1, 12 * HOUR) : between(1, 10 * MINUTE);
  const atMs = Math.max(morningMs - earlyMs, 3 * SECOND);
  const { event, until } = oneOf(TROUBLES)(chances);
  return until === undefined
    ? [{ atMs, event }]
    : [
        { atMs, event },
        { atMs: morningMs + between(MINUTE, 30 * HOUR), event: until },
      ];
}
