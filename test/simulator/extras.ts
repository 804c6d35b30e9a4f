// Rare events that a share of the lives has in addition. They have random numbers of their own, so a new one leaves all other lives as
// they were.
import { planEvents } from './planners.js';
import { createChances } from './random.js';
import { withTerms } from './recurring.js';
import type { Chances } from './random.js';
import type { Scenario, Timed } from './events.js';

const OTHER_NUMBERS = 0x5bd1e995;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

export function withExtras(seed: number, scenario: Scenario): Scenario {
  const chances = createChances(seed ^ OTHER_NUMBERS);
  const interruptions = chances.isOneIn(6) ? [someInterruption(chances, scenario)] : [];
  const extended = { ...scenario, events: [...scenario.events, ...interruptions] };
  if (chances.isOneIn(12)) return { ...extended, events: [...extended.events, ...planEvents(chances)] };
  return chances.isOneIn(10) ? withTerms(chances, extended) : extended;
}

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
