// GET /payto/payments/{uid}
import type { Engine } from '../engine.js';
import { findPayment } from './find-payment.js';
import { formatPayment } from './format-payment.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'get_payment',
  method: 'GET',
  path: '/payto/payments/:uid',
  scope: 'pay_to_payments',
} as const;

export function registerGetPayment(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, version }) => ({
    status: 200,
    body: { data: formatPayment(findPayment(engine, uid), engine.settings.baseUrl, version) },
  }));
}
