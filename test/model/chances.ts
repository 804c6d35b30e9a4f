// How often each thing happens to an agreement in the model, and how much of it.
import fc from 'fast-check';
import {
  HOUR,
  MINUTE,
  asks,
  commandsFail,
  differs,
  forges,
  growsOld,
  handsOver,
  lookUp,
  losesConsent,
  nextCall,
  nextWebhook,
  passing,
  payer,
  plans,
  proposes,
  redelivers,
  regainsConsent,
  repeats,
  resolves,
  restless,
  service,
} from './commands.js';
import { KINDS } from './expectations.js';
import type { World } from './world.js';

const someTime = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 2000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 2000, max: 5 * MINUTE }) },
  { weight: 2, arbitrary: fc.integer({ min: 5 * MINUTE, max: 12 * HOUR }) },
  { weight: 1, arbitrary: fc.integer({ min: 12 * HOUR, max: 72 * HOUR }) },
);
const onItsWay = fc.oneof(fc.constant(40), fc.integer({ min: 0, max: 30_000 }));
const callWeather = fc.record({
  fate: fc.constantFrom('answered', 'lost_before', 'lost_after', 'lost_after'),
  reachMs: onItsWay,
  backMs: onItsWay,
  lagMs: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
  ),
});
const webhookWeather = fc.oneof(
  { weight: 3, arbitrary: fc.constant<number[]>([]) },
  { weight: 4, arbitrary: fc.array(fc.integer({ min: 0, max: 2 * HOUR }), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.tuple(fc.integer({ min: HOUR, max: 200 * HOUR })) },
);
const outcome = fc.record({
  inMs: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 2 * HOUR })),
  ends: fc.constantFrom('done', 'done', 'failed', 'refused', 'never'),
});
const payerMoves = [
  'accept',
  'accept',
  'accept',
  'decline',
  'suspend',
  'suspend',
  'resume',
  'resume',
  'cancel',
  'accept_amendment',
  'accept_amendment',
  'decline_amendment',
  'amend_account',
] as const;

const oftenSaid = [lookUp, differs, resolves, handsOver, losesConsent, regainsConsent, regainsConsent];

/** Weighed so that lives are long: what ends an agreement is rare. */
export const someCommands = fc.commands<World, World, false>(
  [
    someTime.map(passing),
    someTime.map(passing),
    fc.constantFrom(...payerMoves).map(payer),
    fc.constantFrom(...payerMoves).map(payer),
    fc.constantFrom('suspend', 'cancel', 'expire', 'unheard_of', 'suspend', 'unheard_of').map(service),
    fc
      .tuple(fc.constantFrom(...KINDS), fc.constantFrom(10_000, 25_000, 40_000))
      .map(([kind, max]) => asks(kind, max)),
    fc
      .tuple(fc.constantFrom(...KINDS), fc.constantFrom(10_000, 25_000, 40_000))
      .map(([kind, max]) => asks(kind, max)),
    fc.constantFrom(10_000, 25_000, 40_000).map(proposes),
    fc.tuple(fc.nat(9), fc.boolean()).map(([which, isOther]) => repeats(which, isOther)),
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...oftenSaid) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(110, 360), fc.nat(200))
          .map(([times, which]) => growsOld(times, which)),
      },
    ),
    fc.oneof(fc.nat(3), fc.nat(40)).map(redelivers),
    callWeather.map(nextCall),
    callWeather.map(nextCall),
    webhookWeather.map(nextWebhook),
    webhookWeather.map(nextWebhook),
    outcome.map(plans),
    fc
      .tuple(
        fc.constantFrom(MINUTE, 11 * MINUTE, 40 * MINUTE, 30 * HOUR),
        fc.constantFrom('lost_before' as const, 'lost_after' as const),
      )
      .map(([forMs, fate]) => commandsFail(forMs, fate)),
    fc
      .tuple(fc.constantFrom('activated', 'cancelled', 'suspended', 'reactivated', 'amended'), fc.nat(5))
      .map(([type, id]) => forges(type, id)),
    fc
      .tuple(fc.constantFrom(1, 2, 3, 12), fc.boolean())
      .map(([times, isDelivered]) => restless(times, isDelivered)),
  ],
  { maxCommands: 60, size: 'max' },
);
