// POST /payto/payments/{uid}/retry: 202 without a body; the same payment begins again.
import { beginAgain } from './payment-life.js';
import { checkRetry } from './retry-rules.js';
import { creditorParty } from './accept-payment.js';
import type { Engine } from '../engine.js';
import { findPayment } from './find-payment.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { RetryPayment } from './retry-payment.schema.js';
import { scriptFor } from './payment-scripts.js';

const OPERATION = {
  name: 'retry_payment',
  method: 'POST',
  path: '/payto/payments/:uid/retry',
  scope: 'pay_to_payments',
} as const;

export function registerRetryPayment(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body }) => {
    const parsed = RetryPayment.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const payment = findPayment(engine, uid);
    const { creditor, sandbox } = parsed.data;
    checkRetry(engine, payment, creditor);
    if (creditor != null) payment.creditor = creditorParty(creditor);
    beginAgain(engine, payment, scriptFor(engine, uid, sandbox));
    return { status: 202, body: null };
  });
}
