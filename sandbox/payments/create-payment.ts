// POST /payto/payments: 201 at once, and everything else with time.
import { acceptPayment } from './accept-payment.js';
import { CreatePayment } from './create-payment.schema.js';
import type { Engine } from '../engine.js';
import { formatPayment } from './format-payment.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'create_payment',
  method: 'POST',
  path: '/payto/payments',
  scope: 'pay_to_payments',
} as const;

export function registerCreatePayment(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body, version }) => {
    const parsed = CreatePayment.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const payment = acceptPayment(engine, parsed.data);
    return { status: 201, body: { data: formatPayment(payment, engine.settings.baseUrl, version) } };
  });
}
