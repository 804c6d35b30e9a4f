// Whether the first payment under an agreement could ever be taken, as far as can be said before the payer has accepted it. Pure.
import { refusalOf } from './judge.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate, PaymentOrder } from '../agreement/mandate.js';
import type { Refusal } from './status.js';

/** A payment may have to wait for a date, and on that one for another. */
const MOST_DATES = 5;

/** Why it is refused whenever it is asked for; nothing where some day allows it, or where that is not known yet. */
export function refusalOfFirst(mandate: Mandate, order: PaymentOrder, now: Instant): Refusal | undefined {
  const status = {
    ...({ state: 'active', isInDoubt: false, isContested: false, mandate, since: now } as const),
    ...{ earlier: [], hasUnknownPayments: false, consecutiveFailures: 0, inFlight: 0 },
  };
  let refusal = refusalOf(status, order, now);
  for (let date = 0; date < MOST_DATES && refusal !== undefined && refusal.passesFrom !== null; date += 1)
    refusal = refusalOf(status, order, refusal.passesFrom);
  return refusal?.passesFrom === null ? refusal : undefined;
}
