// What the API answers of payments, made from what the payment workflow shows.
import { z } from 'zod';
import { present, presentShape } from '../../domain/answered.schema.js';
import { PAYMENT_STATES } from '../../domain/payment.js';
import { OrderAnswered } from '../../domain/payment.schema.js';
import type { PaymentView } from '../../workflows/payment/contract.js';
import { paymentLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import { Attention, Awaiting, InstantSchema, NextLink, awaitingAnswer, next } from './parts.schema.js';

const PaymentLinks = z.object({
  self: z.string(),
  agreement: z.string().nullable(),
  temporal_ui: z.string().nullable(),
});

const Failure = z.object({
  code: z.string().nullable(),
  title: z.string().nullable(),
  detail: z.string().nullable(),
  retryable: z.boolean().nullable(),
  next,
});

const Attempt = z
  .object({
    n: z.int().meta({ description: 'Counted from 1, the first submission.' }),
    state: z.enum(PAYMENT_STATES),
    started_at: InstantSchema,
    ended_at: InstantSchema.nullable(),
    sent: z.boolean().meta({
      description: 'False for one that was not sent, or that the provider would not take.',
    }),
    failure: Failure.nullable(),
  })
  .meta({ id: 'PaymentAttempt' });

const Payment = z
  .object({
    uid: z.string(),
    connection: z.string().nullable(),
    state: z.enum([...PAYMENT_STATES, 'unknown']),
    state_since: InstantSchema,
    ...presentShape(OrderAnswered),
    amount: z.int().nullable().meta({ description: 'Cents.' }),
    failure: Failure.nullable(),
    requested_at: InstantSchema,
    submit_before: InstantSchema.nullable().meta({
      description: 'Unsent by then, it ends `lapsed`; null for one that was found at the provider.',
    }),
    submissions: z
      .int()
      .meta({ description: 'How often it was sent to the provider, always under this one uid.' }),
    attempts: z.array(Attempt).meta({ description: 'Oldest first.' }),
    awaiting: Awaiting,
    attention: z.array(Attention),
    links: PaymentLinks,
  })
  .meta({ id: 'Payment' });
type Payment = z.output<typeof Payment>;

export const PaymentAnswer = z.object({ data: Payment }).meta({ id: 'PaymentAnswer' });

const PaymentSummary = z
  .object({ uid: z.string(), amount: z.int(), requested_at: InstantSchema, links: PaymentLinks })
  .meta({ id: 'PaymentSummary' });

export const PaymentsAnswer = z
  .object({
    data: z.array(PaymentSummary).meta({ description: 'Oldest first.' }),
    older_count: z
      .int()
      .optional()
      .meta({ description: 'How many older payments are known only by number.' }),
    links: NextLink,
  })
  .meta({ id: 'PaymentsAnswer' });

export function paymentAnswer(ui: TemporalUi, view: PaymentView): Payment {
  return {
    uid: view.uid,
    connection: view.connectionId ?? null,
    state: view.state,
    state_since: view.stateSince,
    ...present(OrderAnswered, view.order),
    failure: view.failure === undefined ? null : present(Failure, view.failure),
    requested_at: view.requestedAt,
    submit_before: view.submitBefore ?? null,
    submissions: view.submissions,
    attempts: view.attempts.map(({ n, state, startedAt, endedAt, failure, isUnsent }) => ({
      n,
      state,
      started_at: startedAt,
      ended_at: endedAt ?? null,
      sent: isUnsent !== true,
      failure: failure === undefined ? null : present(Failure, failure),
    })),
    awaiting: awaitingAnswer(view.awaiting),
    attention: view.attention,
    links: paymentLinks(ui, view.uid, view.order?.agreement_uid),
  };
}
