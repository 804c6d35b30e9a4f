// The operations on refunds.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { parseOrRefuse, notFound } from '../http/refusal.js';
import { acceptPayment } from '../payments/acceptance.js';
import type { Payment, PaymentSimulation } from '../store/payment.schema.js';
import type { Refund, RefundPayment, RefundSimulation } from '../store/refund.schema.js';
import { createdDaysParameters, isCreatedWithin } from '../time/created-days.js';
import { formatRefund } from './formatter.js';
import { beginRefund } from './life.js';
import { checkRefund, CreateRefund } from './rules.js';

// POST /payto/refunds: answers 201 at once; all other changes follow later.
const createRefund = operation(
  { name: 'create_refund', method: 'POST', path: '/payto/refunds', scope: 'pay_to_refunds' },
  ({ body }, engine) => {
    const request = parseOrRefuse(CreateRefund, body);
    const original = checkRefund(engine, request);
    const refund = newRefund(engine, request, original);
    payByPayTo(engine, refund, original);
    beginRefund(engine, refund);
    return { status: 201, body: { data: formatRefund(refund, engine.settings.baseUrl) } };
  },
);

function newRefund({ clock }: Engine, request: CreateRefund, original: Payment): Refund {
  const { simulate = 'success', delay = 0 } = request.sandbox ?? {};
  return {
    uid: request.uid,
    original_payment_uid: original.uid,
    agreement_uid: original.agreement_uid,
    state: 'created',
    refund_payment: withUid(request.refund_payment),
    failure: null,
    created_at: clock.iso(),
    metadata: request.metadata ?? null,
    script: { simulate, delay },
  };
}

function withUid(asked: CreateRefund['refund_payment']): RefundPayment {
  return asked.type === 'pay_to_payment' ? { ...asked, uid: asked.uid ?? randomUUID() } : asked;
}

const SCRIPTS = {
  success: 'auto_settle',
  creditor_alias_not_found: 'creditor_alias_not_found',
  creditor_account_closed: 'creditor_account_closed',
} as const satisfies Record<RefundSimulation, PaymentSimulation>;

/** Pays the original payer with an ordinary payment under the rules of its agreement, which may refuse it (ZPPAY). */
function payByPayTo(
  engine: Engine,
  { uid, refund_payment: paid, script }: Refund,
  { debtor }: Payment,
): void {
  if (paid.type !== 'pay_to_payment') return;
  const { agreement_uid, amount, description } = paid;
  acceptPayment(
    engine,
    {
      uid: paid.uid,
      agreement_uid,
      amount,
      description,
      priority: 'unattended',
      creditor: debtor,
      sandbox: { simulate: SCRIPTS[script.simulate], delay: script.delay },
    },
    uid,
  );
}

const Query = z.strictObject({
  ...pagingParameters,
  original_payment_uid: z.string().optional(),
  ...createdDaysParameters,
});
type Query = z.output<typeof Query>;

// GET /payto/refunds: newest first, filtered by original payment and creation date (docs/provider.md#lists).
const listRefunds = operation(
  { name: 'list_refunds', method: 'GET', path: '/payto/refunds', scope: 'pay_to_refunds' },
  ({ path, query }, engine) => {
    const request = parseOrRefuse(Query, query);
    const wanted = [...engine.store.refunds.values()].filter((it) => isWanted(it, request));
    const page = pageOf(wanted.toReversed(), ({ uid }) => uid, { path, query });
    const data = page.items.map((it) => formatRefund(it, engine.settings.baseUrl));
    return { status: 200, body: { data, links: page.links } };
  },
);

function isWanted({ original_payment_uid, created_at }: Refund, query: Query): boolean {
  return (
    (query.original_payment_uid ?? original_payment_uid) === original_payment_uid &&
    isCreatedWithin(created_at, query)
  );
}

const getRefund = operation(
  { name: 'get_refund', method: 'GET', path: '/payto/refunds/:uid', scope: 'pay_to_refunds' },
  ({ uid }, engine) => {
    const refund = engine.store.refunds.get(uid);
    if (refund === undefined) throw notFound(`There is no refund with uid ${uid}`);
    return { status: 200, body: { data: formatRefund(refund, engine.settings.baseUrl) } };
  },
);

export const REFUND_ROUTES: readonly Registration[] = [createRefund, listRefunds, getRefund];
