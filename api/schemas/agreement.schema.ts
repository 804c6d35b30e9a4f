// What the API answers of agreements. The mandate's fields are looser than in requests: the provider may have written them.
import { z } from 'zod';
import { Attention, Awaiting, InstantSchema, NextLink, Reason } from './legible.schema.js';
import { ACTION_KINDS, AGREEMENT_STATES, ATTENTION_CODES, AWAITED } from './parameters.schema.js';

const text = z.string().nullish();
const cents = z.int().nullish();

export const PartyAnswered = z
  .object({
    party_name: text,
    ultimate_party_name: text,
    account_identifier: z.object({ type: z.string(), value: z.string() }).nullish(),
    payment_account_uid: text,
  })
  .meta({ id: 'PartyAnswered' });

const TermsAnswered = z
  .object({
    type: text, frequency: text, count: z.int().nullish(), amount: cents, max_amount: cents,
    first_payment_amount: cents, last_payment_amount: cents, first_payment_date: text, last_payment_date: text,
  })
  .meta({ id: 'PaymentTermsAnswered' }); // prettier-ignore

const MandateAnswered = {
  purpose: z.string().nullable(),
  description: z.string().nullable(),
  debtor: PartyAnswered.nullable(),
  creditor: PartyAnswered.nullable(),
  initiator: z.object({ name: text, client_id: text }).nullable(),
  payment_terms: TermsAnswered.nullable(),
  validity_start_date: z.string().nullable(),
  validity_end_date: z.string().nullable(),
  resolution_requested_before: z.string().nullable(),
  cancel_if_unresolved: z.boolean().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
};

const AgreementLinks = z.object({
  self: z.string(),
  timeline: z.string(),
  payments: z.string(),
  temporal_ui: z.string().nullable(),
});

const PendingAction = z
  .object({
    kind: z.enum(['creation', ...ACTION_KINDS]),
    key: z.string().nullable().meta({ description: 'The Idempotency-Key that it was asked for with.' }),
    asked_at: InstantSchema,
    accepted: z.boolean().meta({ description: 'The provider has it; its outcome is awaited.' }),
  })
  .meta({ id: 'PendingAction' });

const ActionAnswered = z
  .object({
    kind: z.enum(ACTION_KINDS),
    key: z.string(),
    stage: z.enum(['asked', 'accepted', 'done', 'failed', 'refused']),
    asked_at: InstantSchema,
    ended_at: InstantSchema.nullable(),
    failure: Reason.nullable().meta({
      description: 'Why the provider refused it, or why it came to nothing.',
    }),
  })
  .meta({ id: 'Action' });

export const Agreement = z
  .object({
    uid: z.string(),
    connection: z.string().nullable(),
    state: z.enum(AGREEMENT_STATES),
    state_since: InstantSchema,
    state_caused_by: z.string().nullable(),
    state_reason: Reason.nullable(),
    mms_agreement_id: z.string().nullable(),
    adopted: z.boolean().meta({ description: 'Found at the provider, not started here.' }),
    created_at: InstantSchema,
    ...MandateAnswered,
    awaiting: Awaiting,
    pending_action: PendingAction.nullable().meta({
      description: 'What was asked of the provider and has no outcome yet, if anything; the oldest.',
    }),
    actions: z
      .array(ActionAnswered)
      .meta({ description: 'The newest ten commands and what came of them, oldest first.' }),
    attention: z.array(Attention),
    payments: z.object({ count: z.int(), last_requested_at: InstantSchema.nullable() }),
    links: AgreementLinks,
  })
  .meta({ id: 'Agreement' });
export type Agreement = z.output<typeof Agreement>;

export const AgreementAnswer = z.object({ data: Agreement }).meta({ id: 'AgreementAnswer' });

export const AgreementSummary = z
  .object({
    uid: z.string(),
    connection: z.string().nullable(),
    state: z.enum(AGREEMENT_STATES).nullable(),
    awaiting: z.object({ what: z.enum(AWAITED).nullable(), since: InstantSchema.nullable() }),
    attention: z
      .array(z.enum(ATTENTION_CODES))
      .meta({ description: 'The codes; the agreement itself says more.' }),
    last_fact_at: InstantSchema.nullable(),
    links: AgreementLinks,
  })
  .meta({ id: 'AgreementSummary' });
export type AgreementSummary = z.output<typeof AgreementSummary>;

export const AgreementsAnswer = z
  .object({ data: z.array(AgreementSummary), links: NextLink })
  .meta({ id: 'AgreementsAnswer' });
