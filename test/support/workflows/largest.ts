import { aFact } from '../facts.js';
import { anOrder } from './provider.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { PaymentOrder } from '../../../domain/agreement/mandate.js';

export const callers = (length: number): string => '"'.repeat(length);
export const providers = (length: number): string => '支'.repeat(length);
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const largeFact = (index: number, over: Partial<Fact> = {}): Fact => ({
  ...aFact('cancellation_failed'),
  reason: { code: 'R', narrative: providers(20_000) },
  detail: {
    amount: 4200 + index,
    uid: `p${index}`,
    failure: { code: 'F', text: providers(5_000) },
    dump: providers(10_000),
  },
  ...over,
});

export const NEW_CREDITOR = {
  party_name: callers(140),
  ultimate_party_name: callers(140),
  account_identifier: { type: 'bban' as const, value: callers(256) },
};
export const PARTY = { ...NEW_CREDITOR, payment_account_uid: callers(64) };
export const METADATA = { m: callers(1020) };
export const LARGEST_ORDER: PaymentOrder = {
  ...anOrder(callers(64)),
  reference: callers(35),
  description: callers(280),
  creditor_reference: callers(35),
  creditor: PARTY,
  metadata: METADATA,
};

export const floodOf = (count: number, type: string): Fact[] => {
  const { publishedAt } = aFact('x');
  return times(count, (index) =>
    largeFact(index, {
      id: `${index}`.padStart(4, '0') + providers(96),
      type: index % 2 === 0 ? type : providers(100),
      causedBy: providers(100),
      authenticated: index % 3 !== 0,
      publishedAt,
    }),
  );
};
