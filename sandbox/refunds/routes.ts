// Everything the provider offers on refunds.
import type { Registration } from '../http/operation.js';

export const REFUND_ROUTES: readonly Registration[] = [];
