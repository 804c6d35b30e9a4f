// Lives with terms that limit the number of payments: one fails, others follow, and the failed one is tried again.
import { AMOUNT } from './terms.js';
import type { PaymentTerms } from '../../domain/agreement/mandate.js';
import type { Chances } from './random.js';
import type { Scenario, Timed } from './events.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const TERMS: readonly [PaymentTerms, ...PaymentTerms[]] = [
  { type: 'usage_based', frequency: 'monthly', count: 1 },
  { type: 'usage_based', frequency: 'monthly', count: 2 },
  { type: 'balloon', frequency: 'adhoc', amount: AMOUNT, last_payment_amount: AMOUNT },
];

export function withTerms(chances: Chances, scenario: Scenario): Scenario {
  const { between, oneOf } = chances;
  const payMs = between(4, 60) * SECOND;
  const later = (atMs: number): number =>
    atMs + oneOf([between(1, 2 * SECOND), between(SECOND, 10 * MINUTE), between(HOUR, 6 * HOUR)]);
  const otherMs = later(payMs);
  const retryMs = oneOf([later(otherMs), otherMs + between(1, SECOND), otherMs - between(1, SECOND)]);
  const events: Timed[] = [
    { atMs: payMs, event: { do: 'pay', intent: 0, uid: 0, retries: oneOf([0, 0, 2]) } },
    { atMs: otherMs, event: { do: 'pay', intent: 1, uid: 0, retries: 0 } },
    { atMs: retryMs, event: { do: 'retry' } },
    { atMs: later(Math.max(otherMs, retryMs)), event: { do: 'pay', intent: 2, uid: 0, retries: 0 } },
  ];
  return { ...scenario, terms: oneOf(TERMS), events: [...scenario.events, ...events] };
}
