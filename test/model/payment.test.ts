// Random lives of a payment against a model of the provider, in virtual time: however it goes, it is sent under one uid, never
// again while it may be on its way, and what we have at the end is what the provider has. A failure prints its seed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptsOf } from '../../domain/attempts.js';
import { sentBy, stateOf } from '../../workflows/payment/state.js';
import { readModelConfig } from './config.js';
import { createPaymentWorld } from './payment-world.js';
import { note } from './world.js';
import type { PaymentSetup, PaymentWorld } from './payment-world.js';

const { seed, runs = 1000 } = readModelConfig();
const DAY_MS = 24 * 60 * 60 * 1000;
const MUST_HAPPEN = [
  'is settled',
  'is failed',
  'is parked',
  'is refused',
  'answered 429',
  'answered ZPPAY00',
  'answered ZPPAY17',
  'answered ZPUNP00',
  'sent more than once',
  'tried again',
  'blocked',
];

const someSetup: fc.Arbitrary<PaymentSetup> = fc.record({
  limit: fc.constantFrom(1, 1, 2),
  others: fc.constantFrom(0, 0, 0, 0, 1),
  ends: fc.constantFrom('settled', 'settled', 'failed'),
  by: fc.constantFrom([], [], ['pending'], ['pending', 'under_investigation'], ['under_investigation']),
  stepMs: fc.constantFrom(500, 5000, 100_000, DAY_MS / 2),
  refuses: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  retried: fc.array(fc.constantFrom('settled' as const, 'failed' as const), { maxLength: 2 }),
  attempts: fc.constantFrom(0, 0, 1, 3),
  everySeconds: fc.constantFrom(60, 3600),
  skewMs: fc.constantFrom(0, 0, -3_600_000, 3_600_000),
});

type Weather = 'fair' | 'outage' | 'lagging';
const someWeather = fc.constantFrom<Weather>(
  'fair',
  'fair',
  'fair',
  'fair',
  'fair',
  'fair',
  'outage',
  'lagging',
);

type Event = (world: PaymentWorld) => void | Promise<void>;
const slow = fc.oneof(fc.constant(40), fc.integer({ min: 0, max: 25_000 }));
const someCall = fc.record({
  fate: fc.constantFrom('answered', 'lost_before', 'lost_after', 'lost_after'),
  reachMs: slow,
  backMs: slow,
  lagMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60_000 })),
});
const someEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: someCall.map((weather): Event => ({ network }) => {
      network.nextCall(weather);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 200_000 }).map(
      (ms): Event =>
        ({ agenda }) =>
          agenda.pass(ms),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: DAY_MS }), { maxLength: 3 })
      .map((after): Event => ({ network }) => {
        network.nextWebhook(after);
      }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3 }).map((times): Event => ({ provider }) => {
      provider.throttle(times);
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(60_000, 900_000), fc.constantFrom('lost_before' as const, 'lost_after' as const))
      .map(([ms, fate]): Event => ({ network }) => {
        network.failCommands(ms, fate);
      }),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((isGiven): Event => async (world) => {
      world.network.consent(isGiven);
      if (isGiven) await world.restored();
      else await world.agenda.pass(1000);
      if (world.state().blocked !== undefined) note(world.seen, 'blocked');
    }),
  },
);

test(
  `a payment is paid once, and ends as it did at the provider (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    console.info(`again: MODEL_SEED=${seed} MODEL_RUNS=${runs} npx vitest run test/model/payment.test.ts`);
    const seen = new Map<string, number>();
    const life = fc.asyncProperty(
      someSetup,
      someWeather,
      fc.array(someEvent, { maxLength: 25 }),
      async (setup, weather, events) => {
        for (const [name, count] of await live(setup, weather, events))
          seen.set(name, (seen.get(name) ?? 0) + count);
      },
    );
    await fc.assert(life, { seed, numRuns: runs, endOnFailure: true });
    if (runs >= 1000) expect([...seen.keys()]).toEqual(expect.arrayContaining(MUST_HAPPEN));
  },
);

/** Longer than three rounds take, and than any absence takes to be believed. */
const LONG_MS = 900_000;

/** What it is submitted in: an outage in which nothing arrives, or answers that are lost while reads lag far behind. */
async function begin(world: PaymentWorld, weather: Weather): Promise<void> {
  if (weather === 'outage') world.network.failCommands(LONG_MS, 'lost_before');
  if (weather === 'lagging') {
    world.hadLongLag = true;
    world.network.failCommands(1000, 'lost_after');
    world.provider.lagFor(300_000);
  }
  world.begin();
  if (weather !== 'fair') await world.agenda.pass(LONG_MS);
}

async function live(
  setup: PaymentSetup,
  weather: Weather,
  events: readonly Event[],
): Promise<Map<string, number>> {
  const world = createPaymentWorld(setup);
  await begin(world, weather);
  for (const event of events) await event(world);
  world.network.calm('deliver');
  world.provider.throttle(0);
  await world.agenda.pass(DAY_MS);
  await world.restored();
  await world.agenda.pass(9 * DAY_MS);
  assertEnding(setup, world);
  return world.seen;
}

function assertEnding(setup: PaymentSetup, world: PaymentWorld): void {
  const { provider, seen } = world;
  const state = world.state();
  const { count, stage } = state.submission;
  const shown = provider.shown();
  if (count > 1) note(seen, 'sent more than once');
  if (stage === 'parked') {
    note(seen, 'is parked');
    if (state.submission.parkedFor === 'unknown_again') {
      note(seen, 'parked after a retry');
      if (shown !== 'failed') throw new Error(`a retry is parked, and there it is ${shown}`);
      return;
    }
    const isLate = state.attention.some(
      ({ code, since }) => code === 'parked' && since > (sentBy(state) ?? ''),
    );
    if ((count !== 3 && !isLate) || shown !== undefined)
      throw new Error(`parked after ${count} rounds, and there it is ${shown}`);
    return;
  }
  if (stateOf(state) === 'lapsed') {
    note(seen, 'lapsed');
    if (count !== 0 || shown !== undefined) throw new Error(`lapsed, though it was sent ${count} times`);
    return;
  }
  note(seen, shown === undefined ? 'is refused' : `is ${shown}`);
  const isRefusable = setup.refuses || setup.others >= setup.limit;
  if (shown === undefined && !isRefusable)
    throw new Error('it was never submitted, and nothing stood in its way');
  // A refusal that readings of long ago seemed to confirm stands until an event says otherwise, and none came.
  if (world.hadLongLag && state.failure?.code === 'ZPPAY17' && stateOf(state) === 'failed') return;
  const outcome = shown ?? 'not_sent';
  if (world.reported() !== outcome)
    throw new Error(`its agreement was told ${world.reported()}, expected ${outcome}`);
  // Where a snapshot without a time was noted by a clock that is ahead, events stand before it, and end the attempt before.
  const sent = attemptsOf(state).filter(({ isUnsent }) => isUnsent !== true).length;
  if (setup.skewMs <= 0 && provider.retries() > Math.max(sent - 1, 0))
    throw new Error(`it was tried again ${provider.retries()} times, and we know of ${sent} attempts`);
  const expected = shown ?? 'failed';
  if (stateOf(state) !== expected) throw new Error(`we have ${stateOf(state)}, expected ${expected}`);
  if (!world.isOver()) throw new Error(`it is ${expected}, and goes on`);
  if (state.attention.length > 0)
    throw new Error(`${state.attention[0]?.code} still stands, and nothing is odd`);
}
