// The operations on payments.
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { parseOrRefuse, refuseByCode } from '../http/refusal.js';
import { commaSeparated, sandboxScript } from '../http/wire.schema.js';
import { type Payment, PaymentState, DocumentedPaymentSimulation } from '../store/payment.schema.js';
import { createdDaysParameters, isCreatedWithin } from '../time/created-days.js';
import { acceptPayment, creditorParty, scriptFor } from './acceptance.js';
import { formatPayment } from './formatter.js';
import { beginAgain } from './life.js';
import { CreatePayment, RequestCreditor } from './request.js';
import { checkRetry } from './retry.js';
import { findPayment } from './states.js';

// POST /payto/payments: answers 201 at once; all other changes follow later.
const createPayment = operation(
  { name: 'create_payment', method: 'POST', path: '/payto/payments', scope: 'pay_to_payments' },
  ({ body, version }, engine) => {
    const request = parseOrRefuse(CreatePayment, body);
    const payment = acceptPayment(engine, request);
    return { status: 201, body: { data: formatPayment(payment, engine.settings.baseUrl, version) } };
  },
);

const Query = z.strictObject({
  ...pagingParameters,
  state: commaSeparated(PaymentState).optional(),
  agreement_uid: z.string().optional(),
  agreement_initiator_name: z.string().optional(),
  ...createdDaysParameters,
  /** The default is not documented; we include the payments of refunds. */
  refunds: z.enum(['included', 'excluded', 'only']).default('included'),
});
type Query = z.output<typeof Query>;

// GET /payto/payments: newest first, filtered by state, agreement, initiator, creation date and refunds (docs/provider.md#lists).
const listPayments = operation(
  { name: 'list_payments', method: 'GET', path: '/payto/payments', scope: 'pay_to_payments' },
  ({ path, query, version }, engine) => {
    const request = parseOrRefuse(Query, query);
    const wanted = [...engine.store.payments.values()].filter((it) => isWanted(engine, it, request));
    const page = pageOf(wanted.toReversed(), ({ uid }) => uid, { path, query });
    const data = page.items.map((it) => formatPayment(it, engine.settings.baseUrl, version));
    return { status: 200, body: { data, links: page.links } };
  },
);

function isWanted({ store }: Engine, payment: Payment, query: Query): boolean {
  const initiator = store.agreements.get(payment.agreement_uid)?.initiator.name;
  return (
    (query.state?.includes(payment.state) ?? true) &&
    (query.agreement_uid ?? payment.agreement_uid) === payment.agreement_uid &&
    (query.agreement_initiator_name ?? initiator) === initiator &&
    (query.refunds === 'included' || (query.refunds === 'only') === (payment.source_refund_uid !== null)) &&
    isCreatedWithin(payment.created_at, query)
  );
}

const getPayment = operation(
  { name: 'get_payment', method: 'GET', path: '/payto/payments/:uid', scope: 'pay_to_payments' },
  ({ uid, version }, engine) => ({
    status: 200,
    body: { data: formatPayment(findPayment(engine, uid), engine.settings.baseUrl, version) },
  }),
);

// The body of POST /payto/payments/{uid}/retry: `{}`, or the values to change (docs/provider.md#operations, #payments-retry).
const RetryPayment = z.strictObject({
  creditor: RequestCreditor.nullish(),
  sandbox: sandboxScript(DocumentedPaymentSimulation).optional(),
});
type RetryPayment = z.output<typeof RetryPayment>;

// POST /payto/payments/{uid}/retry: answers 202 without a body and resubmits the same payment.
const retryPayment = operation(
  { name: 'retry_payment', method: 'POST', path: '/payto/payments/:uid/retry', scope: 'pay_to_payments' },
  ({ uid, body }, engine) => {
    const request = parseOrRefuse(RetryPayment, body);
    const payment = engine.store.payments.get(uid);
    // Documented: this call never answers 404.
    if (payment === undefined) throw refuseByCode('ZPPRY00', uid);
    const { creditor, sandbox } = request;
    checkRetry(engine, payment, creditor);
    if (creditor != null) payment.creditor = creditorParty(creditor);
    beginAgain(engine, payment, scriptFor(engine, uid, sandbox));
    return { status: 202, body: null };
  },
);

export const PAYMENT_ROUTES: readonly Registration[] = [
  createPayment,
  listPayments,
  getPayment,
  retryPayment,
];
