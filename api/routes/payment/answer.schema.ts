// Responses for payments, built from the view of the payment workflow.
import { z } from 'zod';
import { present, presentShape } from '../../../domain/provider/answer.schema.js';
import { wasSent, type Attempt as Attempted } from '../../../domain/payment/attempts.js';
import { DateSchema, PartyAnswered } from '../../../domain/agreement/mandate.schema.js';
import { PAYMENT_OUTCOMES, type PaymentEntry, type PaymentOutcome } from '../../../domain/payment/outcome.js';
import { totalsOf } from '../../../domain/payment/totals.js';
import { PAYMENT_STATES, isPaymentFinal } from '../../../domain/payment/lifecycle.js';
import { refundedIn } from '../../../domain/refund/lifecycle.js';
import { OrderAnswered } from '../../../domain/payment/request.schema.js';
import type { AgreementView, Refused } from '../../../workflows/agreement/contract.js';
import type { PaymentView } from '../../../workflows/payment/contract.js';
import { pathTo, recordedLinks, type TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { viewStates } from '../../http/list-parameters.schema.js';
import { Problem } from '../../http/problems/answer.schema.js';
import { refusedBy } from '../../gateway/temporal/refusals.js';
import { PaymentJudgements, judgementsAnswer } from './judgement.schema.js';
import {
  ConnectionOf,
  FOLLOWED,
  InstantSchema,
  NextLink,
  REQUESTED,
  STATE_SINCE,
  advice,
  advised,
  followedOf,
  linksSchema,
  requestedOf,
  stateSinceOf,
} from '../../http/answer-parts.schema.js';

export const PAYMENT_VIEW_STATES = viewStates(PAYMENT_STATES);

const PaymentLinks = linksSchema({ agreement: z.string().nullable() });

const Failure = z.object({
  code: z.string().nullable().meta({
    description: 'The reason code of the provider or the scheme. Accept codes that you do not expect.',
  }),
  title: z.string().nullable(),
  detail: z.string().nullable(),
  retryable: z.boolean().nullable().meta({
    description: 'True if the provider allows a retry under the same uid. Null if it did not say so.',
  }),
  ...advice,
});

const Attempt = z
  .object({
    n: z.int().meta({ description: 'The number of the attempt. The first submission is 1.' }),
    state: z.enum(PAYMENT_STATES),
    started_at: InstantSchema,
    requested_by: z.string().nullable().meta({
      description:
        'The principal that requested the retry, or `policy` for an automatic retry. Null for the first attempt.',
    }),
    ended_at: InstantSchema.nullable().meta({
      description: 'When its outcome came. Null while it is pending.',
    }),
    sent: z.boolean().nullable().meta({
      description:
        'True once submitted. False if it was never submitted or the provider refused it. Null while pending.',
    }),
    failure: Failure.nullable().meta({ description: 'Why the attempt failed. Null otherwise.' }),
  })
  .meta({ id: 'PaymentAttempt' });

const Payment = z
  .object({
    uid: z.string(),
    connection: ConnectionOf,
    state: z.enum(PAYMENT_VIEW_STATES).meta({
      description:
        '`requested`: it is not sent, or the provider has not answered. `created`, `submitting`, `pending` and `under_investigation`: the provider has it, and the outcome follows. ' +
        '`settled`: the money was paid. `failed`: it was not paid; `failure` has the reason. `retrying`: a retry is on its way. ' +
        '`lapsed` and `withdrawn`: it was never sent. `unresolved`: an operator gave it up, and it may have been paid. `unknown`: the provider did not have the uid for a whole day.',
    }),
    ...STATE_SINCE,
    ...presentShape(OrderAnswered),
    amount: z.int().nullable().meta({ description: 'Amount in cents.' }),
    debtor: PartyAnswered.nullable().meta({
      description: 'The payer, as last shown by the provider. Null until then.',
    }),
    failure: Failure.nullable().meta({ description: 'Why the latest attempt failed. Null otherwise.' }),
    ...REQUESTED,
    submit_before: InstantSchema.nullable().meta({
      description:
        'The submission deadline. An unsent payment then ends as `lapsed`. Null if the payment was found at the provider.',
    }),
    submissions: z
      .int()
      .meta({ description: 'How often it was sent to the provider, always with this uid.' }),
    refunded: z.int().meta({ description: 'Refunded amount in cents.' }),
    attempts: z.array(Attempt).meta({
      description: 'Shows each attempt, oldest first. The first payment is one, and each retry is another.',
    }),
    judgements: PaymentJudgements,
    ...FOLLOWED,
    links: PaymentLinks,
  })
  .meta({ id: 'Payment' });
type Payment = z.output<typeof Payment>;

export const JudgementAnswer = z
  .object({
    data: z
      .object({
        uid: z.string(),
        admissible: z.boolean().meta({ description: 'Whether the agreement would allow the payment now.' }),
        refusal: Problem.pick({ code: true, detail: true, errors: true, judgement: true })
          .nullable()
          .meta({ description: 'The problem that the real request would get. Null if it is admissible.' }),
      })
      .meta({ id: 'DryRun' }),
  })
  .meta({ id: 'JudgementAnswer' });

export function judgementAnswer(
  uid: string,
  refusal: Refused | undefined,
): z.output<typeof JudgementAnswer>['data'] {
  if (refusal === undefined) return { uid, admissible: true, refusal: null };
  const { code, detail, errors, judgement } = refusedBy(refusal, 'payment_refused');
  return { uid, admissible: false, refusal: { code, detail, errors: [...errors], judgement } };
}

const PaymentSummary = z
  .object({
    uid: z.string(),
    amount: z.int().meta({ description: 'Amount in cents.' }),
    requested_at: InstantSchema,
    outcome: z.enum(PAYMENT_OUTCOMES).meta({
      description:
        'The outcome, as counted by the agreement. `not_sent`: never sent, or refused by the provider. `unresolved`: unknown.',
    }),
    outcome_at: InstantSchema.meta({
      description: 'When it got this outcome.',
    }),
    failures: z.int().meta({ description: 'How many attempts have failed.' }),
    refunded: z.int().meta({ description: 'Refunded amount in cents.' }),
    links: PaymentLinks,
  })
  .meta({ id: 'PaymentSummary' });
type PaymentSummary = z.output<typeof PaymentSummary>;

export const entryAnswer = (
  ui: TemporalUi,
  agreementUid: string,
  { uid, amount, requestedAt, outcome, outcomeAt, failures, refunded }: PaymentEntry,
): PaymentSummary => ({
  uid,
  amount,
  requested_at: requestedAt,
  outcome,
  outcome_at: outcomeAt,
  failures,
  refunded,
  links: paymentLinks(ui, uid, agreementUid),
});

const Total = z.object({ count: z.int(), amount: z.int().meta({ description: 'Amount in cents.' }) });
const PeriodTotals = z
  .object({
    from: DateSchema,
    until: DateSchema.meta({ description: 'The end of the period, not included.' }),
    ...(Object.fromEntries(PAYMENT_OUTCOMES.map((outcome) => [outcome, Total])) as Record<
      PaymentOutcome,
      typeof Total
    >),
    refunded: z.int().meta({ description: 'Refunded cents of the payments requested in this period.' }),
  })
  .meta({ id: 'PeriodTotals' });

export const periodsAnswer = (view: AgreementView): z.output<typeof PeriodTotals>[] =>
  totalsOf(view.mandate?.payment_terms?.frequency, view.payments).map(({ totals, ...period }) => ({
    ...period,
    ...totals,
  }));

const ConsecutiveFailures = z
  .object({
    count: z.int().meta({
      description: 'How many attempts have failed since the last settled payment. At six, payments stop.',
    }),
    stops_payments: z
      .boolean()
      .meta({ description: 'True if payments stop until the flag `consecutive_failures` is resolved.' }),
    earlier_unknown: z.boolean().meta({
      description: 'True if earlier failures are unknown, because the agreement was found at the provider.',
    }),
  })
  .meta({ id: 'ConsecutiveFailures' });

export const consecutiveFailuresAnswer = ({
  consecutiveFailures,
  adopted,
}: AgreementView): z.output<typeof ConsecutiveFailures> => ({
  count: consecutiveFailures.count,
  stops_payments: consecutiveFailures.stopsPayments,
  earlier_unknown: adopted,
});

export const PaymentsAnswer = z
  .object({
    data: z
      .array(PaymentSummary)
      .meta({ description: 'The payments of this page, which start with the oldest one.' }),
    older_count: z.int().optional().meta({
      description:
        'How many older payments the agreement no longer stores. `GET /v1/payments` with `agreement` still lists them.',
    }),
    periods: z.array(PeriodTotals).meta({
      description:
        'Payment outcomes by period of request: the latest twelve periods in Sydney time, newest first. Months if the terms name no period.',
    }),
    consecutive_failures: ConsecutiveFailures,
    links: NextLink,
  })
  .meta({ id: 'PaymentsAnswer' });

export function paymentAnswer(ui: TemporalUi, view: PaymentView): Payment {
  return {
    uid: view.uid,
    connection: view.connectionId ?? null,
    state: view.state,
    ...stateSinceOf(view),
    ...present(OrderAnswered, view.order),
    debtor: view.debtor ?? null,
    failure: view.failure === undefined ? null : present(Failure, advised(view.failure)),
    ...requestedOf(view),
    submit_before: view.submitBefore ?? null,
    submissions: view.submissions,
    refunded: refundedIn(view.refunds ?? []),
    attempts: view.attempts.map(attemptAnswer),
    judgements: judgementsAnswer(view),
    ...followedOf(view),
    links: paymentLinks(ui, view.uid, view.order?.agreement_uid),
  };
}

const attemptAnswer = (attempt: Attempted): z.output<typeof Attempt> => ({
  n: attempt.n,
  state: attempt.state,
  started_at: attempt.startedAt,
  requested_by: attempt.by ?? null,
  ended_at: attempt.endedAt ?? null,
  sent: wasSent(attempt) ?? null,
  failure: attempt.failure === undefined ? null : present(Failure, advised(attempt.failure)),
});

const paymentLinks = (ui: TemporalUi, uid: string, agreementUid: string | undefined) =>
  recordedLinks(ui, 'payment', uid, {
    agreement: agreementUid === undefined ? null : pathTo('agreement', agreementUid),
  });

export const PAYMENT = apiResource<{ View: PaymentView; Answer: Payment; Gateway: Gateway['payments'] }>({
  name: 'payment',
  tag: 'payments',
  gateway: ({ payments }) => payments,
  schema: Payment,
  answer: paymentAnswer,
  // It has its outcome, or waits for an operator.
  isDecided: ({ state, awaiting }) =>
    state === 'unknown' || isPaymentFinal(state) || awaiting.what === 'operator',
  guide: {
    read: 'payments.md#read-a-payment',
    list: 'payments.md#list-payments',
    lookUp: 'payments.md#look-up-a-payment',
    fields:
      '`settled` means that the money was paid. If it `failed`, `failure` has the reason, and `failure.retryable` says whether a retry is possible. Any other state may still change: `awaiting` names what it waits for.',
    decided: 'the payment has its outcome or waits for an operator',
  },
  pageId: 'ListedPaymentsAnswer',
});
