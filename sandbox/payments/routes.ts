// Everything the provider offers on payments.
import { registerCreatePayment } from './create-payment.js';
import { registerListPayments } from './list-payments.js';
import { registerGetPayment } from './get-payment.js';
import { registerRetryPayment } from './retry-payment.js';
import type { Registration } from '../http/operation.js';

export const PAYMENT_ROUTES: readonly Registration[] = [
  registerCreatePayment,
  registerListPayments,
  registerGetPayment,
  registerRetryPayment,
];
