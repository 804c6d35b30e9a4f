// Everything the provider offers on refunds.
import { registerCreateRefund } from './create-refund.js';
import { registerListRefunds } from './list-refunds.js';
import { registerGetRefund } from './get-refund.js';
import type { Registration } from '../http/operation.js';

export const REFUND_ROUTES: readonly Registration[] = [
  registerCreateRefund,
  registerListRefunds,
  registerGetRefund,
];
