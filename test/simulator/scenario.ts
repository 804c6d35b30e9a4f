// Makes a random scenario from a seed: what an agreement and its provider are like at the start, and what happens in the agreement's
// life. events.ts has the types. The events are of six kinds:
//   - of our callers: pay, burst (many payments), retry, refund, schedule, ask (an action on the agreement), follow, look_up, sweep
//   - of the provider: payer and service move the agreement, outcome plans how its next action ends, reversal undoes a settled payment,
//     misreport sends a wrong event, uid_of_another and foreign_payment are payments of another system
//   - of calls: call (one fault of a write, read or token call), lag, limit, outage, stop, backlog
//   - of webhooks: webhook (lost, late or repeated), redelivery
//   - of workers: worker (dies or falls silent), no_worker, stall, hand_over (a new run), forgotten (no run is left), interrupt,
//     clock (jumps), cancel_request
//   - of the connection: consent, refresh
import {
  CALL_FAULTS,
  INTENTS,
  WORKFLOWS,
  type Event,
  type Scenario,
  type Target,
  type Timed,
} from './events.js';
import { withExtras } from './extras.js';
import { createChances, type Chances } from './random.js';
import type { PaymentHabits } from './provider-interface.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const SCHEME: PaymentHabits = { limit: 9, others: 0, ends: 'settled', by: [], stepMs: 5000, refuses: false };

export function scenarioOf(seed: number): Scenario {
  const chances = createChances(seed);
  const { between, isOneIn, oneOf } = chances;
  const isAccepted = !isOneIn(5);
  const scenario: Omit<Scenario, 'events'> = {
    beginsAs: isOneIn(8) ? 'found' : 'ours',
    isAccepted,
    isSigned: !isOneIn(4),
    hides: isOneIn(16) ? oneOf(['creation', 'payments', 'payments']) : 'nothing',
    hasGrace: isOneIn(2),
    isNew: isOneIn(8),
    tokenMs: isOneIn(4) ? 15 * MINUTE : 40 * HOUR,
    payments: {
      ...SCHEME,
      limit: oneOf([1, 1, 2, 9]),
      others: isOneIn(12) ? 1 : 0,
      ends: isOneIn(4) ? 'failed' : 'settled',
      retried: oneOf([['settled'], ['failed', 'settled'], ['failed']]),
      by: oneOf([[], [], ['pending'], ['pending', 'under_investigation']]),
      stepMs: oneOf([500, 5000, 100 * SECOND, HOUR]),
      refuses: isOneIn(16),
    },
    refunds: {
      ends: isOneIn(4) ? 'failed' : 'processed',
      stepMs: oneOf([500, 5000, HOUR]),
      refuses: isOneIn(16),
    },
  };
  const count = between(2, 5);
  let atMs = 0;
  const events: Timed[] = firstOf(chances);
  for (let index = 0; index < count; index += 1) {
    atMs += someTime(chances);
    const event = someEvent(chances);
    if (event.do === 'refresh' && !isOneIn(3)) events.push({ atMs, event: someCall(chances, 'token') });
    events.push({ atMs, event });
    if (event.do === 'refresh' && isOneIn(2))
      events.push({ atMs: atMs + between(1, 10_000), event: someWorker(chances) });
    if (event.do === 'foreign_payment')
      events.push({ atMs: atMs + between(MINUTE, 3 * HOUR), event: { do: 'retry' } });
  }
  if (isOneIn(3)) events.push({ atMs: 0, event: someOutcome(chances) });
  const extended = withExtras(seed, { ...scenario, events });
  return { ...extended, events: inOrder(extended.events) };
}

const inOrder = (events: readonly Timed[]): Timed[] =>
  [...events].sort((one, other) => one.atMs - other.atMs);

function firstOf(chances: Chances): Timed[] {
  const { between, isOneIn } = chances;
  const events: Timed[] = [];
  if (isOneIn(2)) events.push({ atMs: 0, event: someCall(chances, 'write') });
  const payMs = between(3, 40) * SECOND;
  if (!isOneIn(4))
    events.push({ atMs: payMs, event: { do: 'pay', intent: 0, uid: 0, retries: someRetries(chances) } });
  if (isOneIn(40))
    events.push({ atMs: payMs - between(1, 900), event: { do: 'uid_of_another', intent: 0, uid: 0 } });
  if (!isOneIn(3)) events.push({ atMs: payMs - 1, event: someCall(chances, 'write') });
  if (isOneIn(3)) events.push({ atMs: payMs + between(1, 60), event: someWorker(chances) });
  return events;
}

function someTime({ below, between }: Chances): number {
  const kind = below(20);
  if (kind < 9) return between(1, 2 * SECOND);
  if (kind < 16) return between(2 * SECOND, 4 * MINUTE);
  return kind < 19 ? between(4 * MINUTE, 3 * HOUR) : between(3 * HOUR, 30 * HOUR);
}

function someCall({ between, isOneIn, oneOf }: Chances, target: Target): Event {
  const ms = isOneIn(2) ? between(1000, 45_000) : between(10, 1000);
  return { do: 'call', target, fault: oneOf(CALL_FAULTS), ms };
}

const someWorker = ({ oneOf }: Chances): Event => ({
  do: 'worker',
  fate: oneOf(['dies', 'falls_silent']),
});

const someOutcome = ({ between, oneOf }: Chances): Event => ({
  do: 'outcome',
  inMs: between(0, HOUR),
  ends: oneOf(['done', 'failed', 'failed', 'refused', 'never']),
});

const someRetries = ({ oneOf }: Chances): number => oneOf([0, 0, 0, 2]);

type Make = (chances: Chances) => Event;

const PAYER_MOVES = [
  'accept',
  'accept',
  'decline',
  'suspend',
  'resume',
  'cancel',
  'accept_amendment',
  'decline_amendment',
  'amend_account',
] as const;
const KINDS = [
  'suspension',
  'reactivation',
  'cancellation',
  'amendment',
  'amendment',
  'amendment_recall',
] as const;

const MAKERS: readonly [number, Make][] = [
  [5, (chances) => someCall(chances, 'write')],
  [3, (chances) => someCall(chances, 'read')],
  [3, (chances) => ({ do: 'webhook', afterMs: someArrivals(chances) })],
  [3, ({ oneOf }) => ({ do: 'payer', move: oneOf(PAYER_MOVES) })],
  [1, ({ oneOf }) => ({ do: 'service', move: oneOf(['suspend', 'cancel', 'unheard_of', 'expire']) })],
  [1, ({ oneOf }) => ({ do: 'misreport', type: oneOf(['expired', 'cancelled']) })],
  [3, ({ oneOf }) => ({ do: 'ask', kind: oneOf(KINDS), max: oneOf([10_000, 40_000]) })],
  [
    6,
    (chances) => ({
      do: 'pay',
      intent: chances.below(INTENTS),
      uid: chances.below(3),
      retries: someRetries(chances),
    }),
  ],
  [1, ({ between }) => ({ do: 'burst', payments: between(4, 12) })],
  [1, () => ({ do: 'retry' })],
  [3, () => ({ do: 'refund' })],
  [1, () => ({ do: 'reversal' })],
  [1, ({ oneOf }) => ({ do: 'schedule', days: [oneOf([0, 1])], onMissed: 'catch_up_one' })],
  [1, () => ({ do: 'follow' })],
  [3, someWorker],
  [2, ({ oneOf, between }) => ({ do: 'stall', workflow: oneOf(WORKFLOWS), ms: between(100, 90_000) })],
  [
    2,
    ({ between, oneOf }) => ({
      do: 'no_worker',
      of: oneOf(['any', 'calls', 'calls']),
      forMs: between(MINUTE, 14 * HOUR),
    }),
  ],
  [1, ({ between }) => ({ do: 'backlog', ms: between(100, 60_000), forMs: between(1000, 120_000) })],
  [2, ({ oneOf }) => ({ do: 'hand_over', workflow: oneOf(WORKFLOWS) })],
  [1, ({ oneOf }) => ({ do: 'clock', ms: oneOf([-HOUR, -5 * SECOND, 5 * SECOND, HOUR]) })],
  [1, ({ oneOf }) => ({ do: 'cancel_request', workflow: oneOf(WORKFLOWS) })],
  [2, ({ oneOf }) => ({ do: 'consent', by: oneOf(['taken', 'given', 'given', 'revoked', 'narrowed']) })],
  [1, ({ between }) => ({ do: 'lag', ms: between(1000, 60_000), forMs: between(1000, 120_000) })],
  [1, ({ between }) => ({ do: 'limit', forMs: between(1000, 600_000) })],
  [
    1,
    ({ oneOf, between }) => ({
      do: 'outage',
      forMs: between(1000, 900_000),
      fault: oneOf(['cut_before', 'cut_after']),
    }),
  ],
  [1, ({ between }) => ({ do: 'stop', forMs: between(1000, 600_000) })],
  [1, () => ({ do: 'foreign_payment' })],
  [1, ({ below }) => ({ do: 'redelivery', which: below(6) })],
  [3, () => ({ do: 'refresh' })],
  [1, () => ({ do: 'look_up' })],
  [1, () => ({ do: 'sweep' })],
];
const WHOLE = MAKERS.reduce((sum, [weight]) => sum + weight, 0);

function someEvent(chances: Chances): Event {
  let left = chances.below(WHOLE);
  const found = MAKERS.find(([weight]) => (left -= weight) < 0);
  return found === undefined ? { do: 'sweep' } : found[1](chances);
}

function someArrivals({ between, isOneIn }: Chances): number[] {
  const copies = between(0, 2);
  return Array.from({ length: copies }, () => (isOneIn(2) ? between(0, 5000) : between(5000, HOUR)));
}
