// Whether an entry of a float account is a fee of the provider. It does not publish how it names fees, so only words count (inferred). Pure.
import type { NewFloatEntry } from './entries.js';

const FEE = /(?<![a-z])(?:fees?|(?:sur)?charges?)(?![a-z])/i;

/** A debit whose text has the word fee or charge. One that names a payment or refund belongs to that. */
export const isFee = ({ amount, description }: Pick<NewFloatEntry, 'amount' | 'description'>): boolean =>
  amount < 0 && FEE.test(description ?? '');
