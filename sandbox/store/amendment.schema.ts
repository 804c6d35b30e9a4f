// What the provider keeps of an amendment. No behaviour here.
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

/** As they were asked for: what is absent stays, what is null is cleared. */
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
  /** Of the earlier versions alone. */
  initiator: z
    .object({ name: clearableText, legal_name: clearableText, abn: clearableText, acn: clearableText })
    .optional(),
  /** Of the debtor's own amendments alone. */
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
  /** The recall that is under way, by how it is scripted. */
  recall: ActionSimulation.nullable(),
});
export type Amendment = z.output<typeof Amendment>;
