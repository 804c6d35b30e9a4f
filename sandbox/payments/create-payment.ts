// POST /payto/payments: 201 at once, and everything else with time.
import { beginPayment } from './payment-life.js';
import { CreatePayment } from './create-payment.schema.js';
import type { Engine } from '../engine.js';
import type { Agreement } from '../agreements/agreement.schema.js';
import type { Party } from '../entities.schema.js';
import type { Payment } from './payment.schema.js';
import { formatPayment } from './format-payment.js';
import { registerOperation } from '../http/operation.js';
import { checkPayment } from './payment-rules.js';
import { refusalFrom, refuseByCode } from '../http/refusal.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'create_payment',
  method: 'POST',
  path: '/payto/payments',
  scope: 'pay_to_payments',
} as const;

export function registerCreatePayment(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body }) => {
    const parsed = CreatePayment.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const { uid, agreement_uid } = parsed.data;
    if (engine.store.payments.has(uid)) {
      throw refuseByCode('ZPPAY00', `A payment with uid ${uid} already exists`, uid);
    }
    const agreement = engine.store.agreements.get(agreement_uid);
    if (agreement === undefined) throw refuseByCode('ZPPAY22', `There is no agreement ${agreement_uid}`, uid);
    checkPayment(parsed.data, agreement, engine.clock.now());
    const creditor = creditorOf(parsed.data, agreement);
    if (creditor === null) throw refuseByCode('ZPPAY11', 'Neither payment nor agreement has a creditor', uid);
    const payment = newPayment(engine, parsed.data, { ...agreement, creditor });
    beginPayment(engine, payment);
    return { status: 201, body: { data: formatPayment(payment, engine.settings.baseUrl) } };
  });
}

function creditorOf({ creditor }: CreatePayment, agreement: Agreement): Party | null {
  if (creditor == null) return agreement.creditor;
  return {
    ...creditor,
    ultimate_party_name: creditor.ultimate_party_name ?? null,
    payment_account_uid: null,
  };
}

function newPayment(
  { clock, store }: Engine,
  request: CreatePayment,
  { debtor, creditor }: { debtor: Party; creditor: Party },
): Payment {
  const { simulate = 'auto_settle', delay = 0 } = request.sandbox ?? {};
  return {
    uid: request.uid,
    agreement_uid: request.agreement_uid,
    state: 'created',
    amount: request.amount,
    last_payment: request.last_payment ?? null,
    priority: request.priority,
    reference: request.reference ?? null,
    description: request.description ?? null,
    creditor,
    creditor_reference: request.creditor_reference ?? null,
    debtor,
    failure: null,
    created_at: clock.iso(),
    metadata: request.metadata ?? null,
    script: store.paymentScripts.get(request.uid) ?? { simulate, delay },
  };
}
