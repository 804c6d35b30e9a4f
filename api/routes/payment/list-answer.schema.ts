// Responses for lists of payments and refunds, built from search attributes.
import { z } from 'zod';
import { paymentLinks, refundLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import { PAYMENT_VIEW_STATES, REFUND_VIEW_STATES } from '../../http/parameters.schema.js';
import type { ListedPayment, ListedRefund } from '../../gateway/temporal/lists.js';
import { PaymentLinks } from './answer.schema.js';
import { InstantSchema, NextLink, listedAnswer, listedShape } from '../../http/answer-parts.schema.js';
import { RefundLinks } from '../refund/answer.schema.js';

const requested = { requested_at: InstantSchema.nullable() };

const ListedPaymentAnswer = z
  .object({
    ...listedShape(PAYMENT_VIEW_STATES),
    agreement_uid: z.string().nullable(),
    ...requested,
    links: PaymentLinks,
  })
  .meta({ id: 'ListedPayment' });
export const ListedPaymentsAnswer = z
  .object({ data: z.array(ListedPaymentAnswer), links: NextLink })
  .meta({ id: 'ListedPaymentsAnswer' });

export const listedPaymentAnswer = (
  ui: TemporalUi,
  listed: ListedPayment,
): z.output<typeof ListedPaymentAnswer> => ({
  ...listedAnswer(listed),
  agreement_uid: listed.agreementUid ?? null,
  requested_at: listed.requestedAt ?? null,
  links: paymentLinks(ui, listed.uid, listed.agreementUid),
});

const ListedRefundAnswer = z
  .object({ ...listedShape(REFUND_VIEW_STATES), ...requested, links: RefundLinks })
  .meta({ id: 'ListedRefund' });
export const ListedRefundsAnswer = z
  .object({ data: z.array(ListedRefundAnswer), links: NextLink })
  .meta({ id: 'ListedRefundsAnswer' });

export const listedRefundAnswer = (
  ui: TemporalUi,
  listed: ListedRefund,
): z.output<typeof ListedRefundAnswer> => ({
  ...listedAnswer(listed),
  requested_at: listed.requestedAt ?? null,
  links: refundLinks(ui, listed.uid, undefined),
});
