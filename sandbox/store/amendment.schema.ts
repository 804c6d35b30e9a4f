// The provider's record of an amendment. Data only.
import { z } from 'zod';
import { ActionSimulation, Explanation } from './action.schema.js';
import { AccountIdentifier } from './entities.schema.js';

export const AmendmentState = z.enum([
  'pending',
  'created',
  'applied',
  'declined',
  'expired',
  'failed',
  'recalled',
]);
export type AmendmentState = z.output<typeof AmendmentState>;

const text = z.string().optional();
const clearableText = z.string().nullish();
const clearableInt = z.int().nullish();

/** The requested changes: an absent field stays, a null field is cleared. */
export const Changes = z.object({
  description: text,
  validity_end_date: clearableText,
  payment_terms: z
    .object({
      type: text,
      frequency: text,
      count: clearableInt,
      max_amount: clearableInt,
      amount: clearableInt,
      first_payment_amount: clearableInt,
      last_payment_amount: clearableInt,
      first_payment_date: clearableText,
      last_payment_date: clearableText,
    })
    .optional(),
  creditor: z
    .object({
      party_name: text,
      ultimate_party_name: text,
      account_identifier: AccountIdentifier.optional(),
      payment_account_uid: clearableText,
    })
    .nullish(),
  /** Only in versions before 20260901. */
  initiator: z
    .object({ name: clearableText, legal_name: clearableText, abn: clearableText, acn: clearableText })
    .optional(),
  /** Only in amendments by the debtor. */
  debtor: z
    .object({
      party_name: text,
      ultimate_party_name: clearableText,
      account_identifier: AccountIdentifier.optional(),
    })
    .optional(),
});
export type Changes = z.output<typeof Changes>;

export const Amendment = z.object({
  changes: Changes,
  resolution_requested_before: z.string(),
  state: AmendmentState,
  actor: z.enum(['debtor', 'initiator']),
  failure: Explanation.nullable(),
  created_at: z.string(),
  simulate: ActionSimulation,
  delay: z.int(),
  /** The script of the recall in progress. */
  recall: ActionSimulation.nullable(),
});
export type Amendment = z.output<typeof Amendment>;
