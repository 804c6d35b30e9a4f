// From what the payment workflow says to what callers read.
import type { PaymentOrder } from '../../domain/mandate.js';
import type { PaymentFailure } from '../../domain/payment.js';
import type { PaymentView } from '../../workflows/payment/contract.js';
import { paymentLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import type { Payment } from '../schemas/payment.schema.js';
import { awaitingAnswer } from './legible.js';

export function paymentAnswer(ui: TemporalUi, view: PaymentView): Payment {
  return {
    uid: view.uid,
    connection: view.connectionId ?? null,
    state: view.state,
    state_since: view.stateSince,
    ...orderAnswer(view.order ?? {}),
    failure: failureAnswer(view.failure),
    requested_at: view.requestedAt,
    submissions: view.submissions,
    awaiting: awaitingAnswer(view.awaiting),
    attention: view.attention,
    links: paymentLinks(ui, view.uid, view.order?.agreement_uid),
  };
}

const orderAnswer = (order: Partial<PaymentOrder>) => ({
  agreement_uid: order.agreement_uid ?? null,
  amount: order.amount ?? null,
  priority: order.priority ?? null,
  reference: order.reference ?? null,
  description: order.description ?? null,
  creditor_reference: order.creditor_reference ?? null,
  creditor: order.creditor ?? null,
  last_payment: order.last_payment ?? null,
  metadata: order.metadata ?? null,
});

function failureAnswer(failure: PaymentFailure | undefined) {
  if (failure === undefined) return null;
  const { code = null, title = null, detail = null, retryable = null } = failure;
  return { code, title, detail, retryable };
}
