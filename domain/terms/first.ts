// Whether the first payment under an agreement can ever be taken, as far as we know before the payer accepts. Pure.
import { refusalOf } from './judge.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate, PaymentOrder } from '../agreement/mandate.js';
import type { Refusal } from './status.js';

/** A payment may have to wait for one date, and then for another. */
const MOST_DATES = 5;

/** The refusal that no date can lift; undefined if some day allows the payment, or if that is unknown. */
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
