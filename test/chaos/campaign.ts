import { planUidBase } from '../../api/http/idempotency.js';
import { createChances } from '../simulator/random.js';

export interface Intent {
  uid: string;
  agreement: string;
  amount: number;
  askedBy: 'us' | 'plan';
  failures: number;
  retriedBy: 'policy' | 'command';
  refunds: readonly Refund[];
  isLagging: boolean;
}

export interface Refund {
  uid: string;
  amount: number;
  paidUnder?: string;
}

export interface Campaign {
  seed: number;
  agreements: readonly string[];
  payouts: readonly string[];
  intents: readonly Intent[];
}

const PER_AGREEMENT = 4;
const PER_PAYOUT = 10;
const LARGEST_CENTS = 20_000;

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

const KINDS = 20;
const PLANNED = 0;
const FAILING: Readonly<Record<number, Pick<Intent, 'failures' | 'retriedBy'>>> = {
  3: { failures: 1, retriedBy: 'policy' },
  7: { failures: 1, retriedBy: 'command' },
  15: { failures: 2, retriedBy: 'command' },
};
const REFUNDED: ReadonlySet<number> = new Set([1, 5, 11, 17]);

const tooManyRefunds = (base: string, amount: number, paidUnder: string): Refund[] =>
  ['a', 'b', 'c'].map((part, index) => ({
    uid: `${base}-${part}`,
    amount: Math.floor(amount * 0.45),
    ...(index > 0 && { paidUnder }),
  }));

export const payoutOf = ({ uid }: Pick<Refund, 'uid'>): string => `${uid}-paid`;

export const payoutsOf = (refund: Refund): string[] =>
  refund.paidUnder === undefined ? [] : [payoutOf(refund)];
