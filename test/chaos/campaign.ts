import { planUidBase } from '../../api/http/idempotency.js';
import { createChances } from '../simulator/random.js';

/** One payment that is meant to be taken once, whatever happens. */
export interface Intent {
  uid: string;
  agreement: string;
  /** Cents. */
  amount: number;
  /** `plan`: its agreement's plan asks for it, and not we. */
  askedBy: 'us' | 'plan';
  /** So often it fails, retryable, before it settles; who then has it tried again. */
  failures: number;
  retriedBy: 'policy' | 'command';
  refunds: readonly Refund[];
  /** The provider's reads of it show what was half a minute ago. */
  isLagging: boolean;
}

export interface Refund {
  uid: string;
  amount: number;
  /** Of the agreement under which it is paid, by a payment of its own; left out, it is paid from a float account. */
  paidUnder?: string;
}

export interface Campaign {
  seed: number;
  agreements: readonly string[];
  /** Agreements under which refunds are paid. */
  payouts: readonly string[];
  intents: readonly Intent[];
}

/** Those of a plan apart: each has an agreement of its own, whose clock is moved on, and with it that of all that it begins. */
const PER_AGREEMENT = 4; // With their failures they are never six, so none is refused.
/** So many agreements have one under which their refunds are paid. */
const PER_PAYOUT = 10;
const LARGEST_CENTS = 20_000;

/** @param day of the plans, `YYYY-MM-DD` in Sydney: it is part of the uid of what they ask for. */
export function campaignOf(seed: number, payments: number, day: string): Campaign {
  const chances = createChances(seed);
  const shared = Array.from(
    { length: Math.ceil(payments / PER_AGREEMENT) },
    (_, index) => `agr-chaos-${seed}-${index}`,
  );
  const payouts = Array.from(
    { length: Math.ceil(shared.length / PER_PAYOUT) },
    (_, index) => `agr-chaos-${seed}-payout-${index}`,
  );
  const intents = Array.from({ length: payments }, (_, index): Intent => {
    const isPlanned = index % KINDS === PLANNED;
    const agreement = isPlanned
      ? `agr-chaos-${seed}-plan-${index}`
      : (shared[Math.floor(index / PER_AGREEMENT)] ?? '');
    const uid = isPlanned
      ? `${planUidBase(agreement)}.${day.replaceAll('-', '')}`
      : `pay-chaos-${seed}-${index}`;
    const amount = chances.between(100, LARGEST_CENTS);
    const payout = payouts[index % payouts.length] ?? '';
    const { failures = 0, retriedBy = 'command' } = FAILING[index % KINDS] ?? {};
    return {
      ...{ uid, agreement, amount, failures, retriedBy },
      askedBy: isPlanned ? 'plan' : 'us',
      refunds: REFUNDED.has(index % KINDS)
        ? tooManyRefunds(`ref-chaos-${seed}-${index}`, amount, payout)
        : [],
      isLagging: chances.isOneIn(2),
    };
  });
  return { seed, agreements: [...new Set(intents.map((intent) => intent.agreement))], payouts, intents };
}

/** Of so many payments in a row each kind has as many as its table names: never six failures in a row under one agreement. */
const KINDS = 20;
const PLANNED = 0;
const FAILING: Readonly<Record<number, Pick<Intent, 'failures' | 'retriedBy'>>> = {
  3: { failures: 1, retriedBy: 'policy' },
  7: { failures: 1, retriedBy: 'command' },
  15: { failures: 2, retriedBy: 'command' },
};
const REFUNDED: ReadonlySet<number> = new Set([1, 5, 11, 17]);

/** Asked for at once, one from a float account and two by payments; all together would be more than was paid, any two of them are not. */
const tooManyRefunds = (base: string, amount: number, paidUnder: string): Refund[] =>
  ['a', 'b', 'c'].map((part, index) => ({
    uid: `${base}-${part}`,
    amount: Math.floor(amount * 0.45),
    ...(index > 0 && { paidUnder }),
  }));

/** The uid of the payment that pays a refund under an agreement. */
export const payoutOf = ({ uid }: Pick<Refund, 'uid'>): string => `${uid}-paid`;

/** The same, where one does. */
export const payoutsOf = (refund: Refund): string[] =>
  refund.paidUnder === undefined ? [] : [payoutOf(refund)];
