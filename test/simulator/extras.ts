// Rare events that a share of the lives has in addition. They have random numbers of their own, so a new one leaves all other lives as
// they were.
import { planEvents } from './planners.js';
import { createChances, type Chances } from './random.js';
import { withTerms } from './recurring.js';
import type { Event, Scenario, Timed } from './events.js';

const OTHER_NUMBERS = 0x5bd1e995;
const NUMBERS_OF_FORGOTTEN = 0x3c6ef372;
const NUMBERS_OF_DROPPED = 0x1f83d9ab;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export function withExtras(seed: number, scenario: Scenario): Scenario {
  const chances = createChances(seed ^ OTHER_NUMBERS);
  const interruptions = chances.isOneIn(6) ? [someInterruption(chances, scenario)] : [];
  const extended = { ...scenario, events: [...scenario.events, ...interruptions] };
  return withForgotten(seed, withDropped(seed, withPlanOrTerms(chances, extended)));
}

function withPlanOrTerms(chances: Chances, extended: Scenario): Scenario {
  if (chances.isOneIn(12)) return { ...extended, events: [...extended.events, ...planEvents(chances)] };
  return chances.isOneIn(10) ? withTerms(chances, extended) : extended;
}

function withDropped(seed: number, scenario: Scenario): Scenario {
  const { isOneIn, oneOf } = createChances(seed ^ NUMBERS_OF_DROPPED);
  return isOneIn(4) ? { ...scenario, recordsAwayMs: oneOf([0, MINUTE, 3 * HOUR]) } : scenario;
}

function withForgotten(seed: number, scenario: Scenario): Scenario {
  const chances = createChances(seed ^ NUMBERS_OF_FORGOTTEN);
  if (!chances.isOneIn(10)) return scenario;
  return { ...scenario, events: [...scenario.events, ...forgettingEvents(chances, scenario)] };
}

/** Once most has ended: Temporal forgets some of it, and then something concerns it. */
function forgettingEvents(chances: Chances, { events }: Scenario): Timed[] {
  const { between, isOneIn, oneOf } = chances;
  const made: Timed[] = [];
  let atMs = Math.max(...events.map((event) => event.atMs)) + between(MINUTE, 3 * HOUR);
  const add = (afterMs: number, event: Event): void => void made.push({ atMs: (atMs += afterMs), event });
  if (isOneIn(3)) add(0, { do: 'payer', move: 'cancel' });
  if (!isOneIn(3)) {
    add(SECOND, { do: 'webhook', afterMs: [between(0, SECOND), between(MINUTE, 3 * HOUR)] });
    add(SECOND, { do: 'refund' });
  }
  for (let round = between(1, 2); round > 0; round -= 1) {
    const isTerminated = isOneIn(10);
    const first = oneOf(FORGOTTEN);
    add(between(MINUTE, 3 * HOUR), { do: 'forgotten', of: first, isTerminated });
    for (const of of isOneIn(2) ? FORGOTTEN.filter((one) => one !== first) : [])
      add(0, { do: 'forgotten', of, isTerminated });
    for (let more = between(1, 3); more > 0; more -= 1) add(between(100, 10 * MINUTE), oneOf(AFTERWARDS));
  }
  return made;
}

const FORGOTTEN = ['payment', 'refund', 'agreement'] as const;

const AFTERWARDS: readonly [Event, ...Event[]] = [
  { do: 'refund' },
  { do: 'refund' },
  { do: 'retry' },
  { do: 'reversal' },
  { do: 'redelivery', which: 1 },
  { do: 'misreport', type: 'expired' },
  { do: 'pay', intent: 0, uid: 0, retries: 0 },
  { do: 'look_up' },
  { do: 'look_up', of: 'payment' },
  { do: 'sweep' },
];

/** Shortly after a payment is requested, or after the agreement's own creation. The call may wait for a token or a slow answer. */
function someInterruption({ between, isOneIn, oneOf }: Chances, { events }: Scenario): Timed {
  const requested = events.filter(({ event }) => event.do === 'pay' || event.do === 'retry');
  const [first, ...others] = requested.map(({ atMs }) => atMs);
  const fromMs = first === undefined ? 0 : oneOf([first, ...others]);
  return {
    atMs: fromMs + (isOneIn(3) ? between(100, 5 * SECOND) : between(1, 100)),
    event: {
      do: 'interrupt',
      by: oneOf(['pause', 'pause', 'reset']),
      isCut: !isOneIn(3),
      resumesMs: between(SECOND, 10 * MINUTE),
    },
  };
}
