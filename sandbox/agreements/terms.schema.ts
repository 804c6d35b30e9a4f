// The payment terms of an agreement as callers write them: whole at creation, in part in an amendment.
import { z } from 'zod';
import { Cents, Day } from '../http/wire.schema.js';

const TermsType = z.enum(['fixed', 'balloon', 'variable', 'usage_based']);
type TermsType = z.output<typeof TermsType>;

const Frequency = z.enum([
  'adhoc',
  'daily',
  'weekly',
  'fortnightly',
  'monthly',
  'quarterly',
  'semi_annual',
  'annual',
]);

const fields = {
  type: TermsType,
  frequency: Frequency,
  count: z.int().min(1).nullish(),
  max_amount: Cents.nullish(),
  amount: Cents.nullish(),
  first_payment_amount: Cents.nullish(),
  last_payment_amount: Cents.nullish(),
  first_payment_date: Day.nullish(),
  last_payment_date: Day.nullish(),
};

/** Which amounts a type needs and which it may have (facts 7.1); what stands in neither list it must not have. */
const AMOUNTS: Record<TermsType, { needs: readonly Amount[]; may: readonly Amount[] }> = {
  fixed: { needs: ['amount'], may: ['max_amount'] },
  balloon: { needs: ['amount'], may: ['max_amount', 'first_payment_amount', 'last_payment_amount'] },
  variable: { needs: [], may: ['max_amount'] },
  usage_based: { needs: [], may: ['max_amount'] },
};
const AMOUNT_FIELDS = ['amount', 'max_amount', 'first_payment_amount', 'last_payment_amount'] as const;
type Amount = (typeof AMOUNT_FIELDS)[number];

/** Terms that an agreement can have. */
export const Terms = z.strictObject(fields).superRefine((terms, context) => {
  const { needs, may } = AMOUNTS[terms.type];
  for (const field of AMOUNT_FIELDS) {
    const isGiven = terms[field] != null;
    if (needs.includes(field) ? isGiven : !isGiven || may.includes(field)) continue;
    const verdict = isGiven ? 'is not allowed' : 'is required';
    context.addIssue({ code: 'custom', path: [field], message: `${verdict} for type ${terms.type}` });
  }
});
export type Terms = z.output<typeof Terms>;

/** Changes to terms: whether what they lead to are terms shows once they are merged. */
export const TermsChanges = z.strictObject(fields).partial();
