// Responses for refunds, built from the views of refund and payment workflows.
import { z } from 'zod';
import { present, presentShape } from '../../../domain/provider/answer.schema.js';
import {
  REFUND_OUTCOMES,
  REFUND_STATES,
  isRefundFinal,
  type RefundEntry,
} from '../../../domain/refund/lifecycle.js';
import { RefundPaymentAnswered } from '../../../domain/refund/request.schema.js';
import type { RefundView } from '../../../workflows/refund/contract.js';
import { pathTo, recordedLinks, type TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { viewStates } from '../../http/list-parameters.schema.js';
import {
  ConnectionOf,
  FOLLOWED,
  InstantSchema,
  NextLink,
  REQUESTED,
  Reason,
  STATE_SINCE,
  advised,
  followedOf,
  linksSchema,
  requestedOf,
  stateSinceOf,
} from '../../http/answer-parts.schema.js';

export const REFUND_VIEW_STATES = viewStates(REFUND_STATES);

const RefundLinks = linksSchema({ payment: z.string().nullable() });
const Paid = z.object(presentShape(RefundPaymentAnswered)).meta({ id: 'RefundPayment' });
const Failure = Reason.pick({ code: true, title: true, detail: true, next: true, payer_message: true });

const Refund = z
  .object({
    uid: z.string(),
    connection: ConnectionOf,
    original_payment_uid: z
      .string()
      .nullable()
      .meta({ description: 'The payment that is refunded. Null until a look-up shows it.' }),
    refund_payment: Paid,
    state: z.enum(REFUND_VIEW_STATES).meta({
      description:
        '`requested`: the provider has not answered. `created` and `processing`: the provider has it, and the outcome follows. `processed`: the money was returned. ' +
        '`failed`: it was not returned. `unresolved`: an operator gave it up, and it may have been paid. `unknown`: the provider did not have the uid for a whole day.',
    }),
    ...STATE_SINCE,
    failure: Failure.nullable().meta({ description: 'Why it failed. Null otherwise.' }),
    ...REQUESTED,
    submissions: z
      .int()
      .meta({ description: 'How often it was sent to the provider, always with this uid.' }),
    ...FOLLOWED,
    links: RefundLinks,
  })
  .meta({ id: 'Refund' });
type Refund = z.output<typeof Refund>;

export function refundAnswer(ui: TemporalUi, view: RefundView): Refund {
  const { original_payment_uid: paymentUid, refund_payment: paid } = view.order ?? {};
  return {
    uid: view.uid,
    connection: view.connectionId ?? null,
    original_payment_uid: paymentUid ?? null,
    refund_payment: present(RefundPaymentAnswered, paid),
    state: view.state,
    ...stateSinceOf(view),
    failure: view.failure === undefined ? null : present(Failure, advised(view.failure)),
    ...requestedOf(view),
    submissions: view.submissions,
    ...followedOf(view),
    links: refundLinks(ui, view.uid, paymentUid),
  };
}

const RefundSummary = z
  .object({
    uid: z.string(),
    amount: z.int().meta({ description: 'Amount in cents.' }),
    ...REQUESTED,
    outcome: z.enum(REFUND_OUTCOMES).meta({
      description:
        '`under_way`: it may still be paid. `processed`: the money was returned. `failed`: it was not, and you may request another refund. `unresolved`: an operator gave it up, and it may have been returned.',
    }),
    outcome_at: InstantSchema.meta({ description: 'When it got this outcome.' }),
    links: RefundLinks,
  })
  .meta({ id: 'RefundSummary' });

export const refundSummary = (
  ui: TemporalUi,
  paymentUid: string,
  { uid, amount, requestedAt, requestedBy, outcome, outcomeAt }: RefundEntry,
): z.output<typeof RefundSummary> => ({
  uid,
  amount,
  requested_at: requestedAt,
  requested_by: requestedBy ?? null,
  outcome,
  outcome_at: outcomeAt,
  links: refundLinks(ui, uid, paymentUid),
});

export const RefundsAnswer = z
  .object({
    data: z
      .array(RefundSummary)
      .meta({ description: 'The refunds of this page, which start with the oldest one.' }),
    links: NextLink,
  })
  .meta({ id: 'RefundsAnswer' });

const refundLinks = (ui: TemporalUi, uid: string, paymentUid: string | undefined) =>
  recordedLinks(ui, 'refund', uid, {
    payment: paymentUid === undefined ? null : pathTo('payment', paymentUid),
  });

export const REFUND = apiResource<{ View: RefundView; Answer: Refund; Gateway: Gateway['refunds'] }>({
  name: 'refund',
  tag: 'payments',
  gateway: ({ refunds }) => refunds,
  schema: Refund,
  answer: refundAnswer,
  // It has its outcome, or waits for an operator.
  isDecided: ({ state, awaiting }) =>
    state === 'unknown' || isRefundFinal(state) || awaiting.what === 'operator',
  guide: {
    read: 'payments.md#read-refunds',
    lookUp: 'payments.md#look-up-a-refund',
    fields:
      '`processed` means that the money was returned. If it `failed`, `failure` has the reason, and you may request another refund. `awaiting` names what a pending refund waits for.',
    decided: 'the refund has its outcome or waits for an operator',
  },
  pageId: 'ListedRefundsAnswer',
});
