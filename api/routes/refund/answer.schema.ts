// Responses for refunds, built from the views of refund and payment workflows.
import { z } from 'zod';
import { present, presentShape } from '../../../domain/provider/answer.schema.js';
import { REFUND_OUTCOMES, isRefundFinal } from '../../../domain/refund/lifecycle.js';
import type { RefundEntry } from '../../../domain/refund/lifecycle.js';
import { RefundPaymentAnswered } from '../../../domain/refund/request.schema.js';
import type { RefundView } from '../../../workflows/refund/contract.js';
import { pathTo, recordedLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import { REFUND_VIEW_STATES } from '../../http/list-parameters.schema.js';
import {
  Attention,
  Awaiting,
  InstantSchema,
  StateSinceSource,
  NextLink,
  Reason,
  RequestedBy,
  advised,
  awaitingAnswer,
  linksSchema,
} from '../../http/answer-parts.schema.js';

const RefundLinks = linksSchema({ payment: z.string().nullable() });
const Paid = z.object(presentShape(RefundPaymentAnswered)).meta({ id: 'RefundPayment' });
const Failure = Reason.pick({ code: true, title: true, detail: true, next: true, payer_message: true });

const Refund = z
  .object({
    uid: z.string(),
    connection: z.string().nullable(),
    original_payment_uid: z.string().nullable(),
    refund_payment: Paid,
    state: z.enum(REFUND_VIEW_STATES),
    state_since: InstantSchema,
    state_since_source: StateSinceSource,
    failure: Failure.nullable(),
    requested_at: InstantSchema,
    requested_by: RequestedBy,
    submissions: z
      .int()
      .meta({ description: 'The number of submissions to the provider, always with this uid.' }),
    awaiting: Awaiting,
    attention: z.array(Attention),
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
    state_since: view.stateSince,
    state_since_source: view.stateSinceSource ?? null,
    failure: view.failure === undefined ? null : present(Failure, advised(view.failure)),
    requested_at: view.requestedAt,
    requested_by: view.requestedBy ?? null,
    submissions: view.submissions,
    awaiting: awaitingAnswer(view.awaiting),
    attention: view.attention,
    links: refundLinks(ui, view.uid, paymentUid),
  };
}

const RefundSummary = z
  .object({
    uid: z.string(),
    amount: z.int().meta({ description: 'Amount in cents.' }),
    requested_at: InstantSchema,
    requested_by: RequestedBy,
    outcome: z.enum(REFUND_OUTCOMES).meta({
      description:
        'The outcome. A failed refund may be requested again. `unresolved`: we do not know whether the money was paid back.',
    }),
    outcome_at: InstantSchema,
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
  .object({ data: z.array(RefundSummary).meta({ description: 'Refunds, oldest first.' }), links: NextLink })
  .meta({ id: 'RefundsAnswer' });

const refundLinks = (ui: TemporalUi, uid: string, paymentUid: string | undefined) =>
  recordedLinks(ui, 'refund', uid, {
    payment: paymentUid === undefined ? null : pathTo('payment', paymentUid),
  });

export const REFUND = apiResource<{ View: RefundView; Answer: Refund; Gateway: Gateway['refunds'] }>({
  name: 'refund',
  gateway: ({ refunds }) => refunds,
  schema: Refund,
  answer: refundAnswer,
  // It has its outcome, or waits for an operator.
  isDecided: ({ state, awaiting }) =>
    state === 'unknown' || isRefundFinal(state) || awaiting.what === 'operator',
  pageId: 'ListedRefundsAnswer',
});
