// POST /payto/refunds: 201 at once, and everything else with time.
import { randomUUID } from 'node:crypto';
import { acceptPayment } from '../payments/accept-payment.js';
import { beginRefund } from './refund-life.js';
import { checkRefund } from './refund-rules.js';
import { CreateRefund } from './create-refund.schema.js';
import type { Engine } from '../engine.js';
import { formatRefund } from './format-refund.js';
import type { Payment, PaymentSimulation } from '../payments/payment.schema.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom } from '../http/refusal.js';
import type { Refund, RefundPayment, RefundSimulation } from './refund.schema.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'create_refund',
  method: 'POST',
  path: '/payto/refunds',
  scope: 'pay_to_refunds',
} as const;

export function registerCreateRefund(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body }) => {
    const parsed = CreateRefund.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const original = checkRefund(engine, parsed.data);
    const refund = newRefund(engine, parsed.data, original);
    payByPayTo(engine, refund, original);
    beginRefund(engine, refund);
    return { status: 201, body: { data: formatRefund(refund, engine.settings.baseUrl) } };
  });
}

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

/** A payment like any other, under the rules of its agreement, to whoever paid: it may be refused (ZPPAY). */
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
