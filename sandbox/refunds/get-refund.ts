// GET /payto/refunds/{uid}
import type { Engine } from '../engine.js';
import { formatRefund } from './format-refund.js';
import { registerOperation } from '../http/operation.js';
import { refuse } from '../http/refusal.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'get_refund',
  method: 'GET',
  path: '/payto/refunds/:uid',
  scope: 'pay_to_refunds',
} as const;

export function registerGetRefund(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid }) => {
    const refund = engine.store.refunds.get(uid);
    if (refund === undefined) throw refuse(404, 'Not Found', `There is no refund with uid ${uid}`);
    return { status: 200, body: { data: formatRefund(refund, engine.settings.baseUrl) } };
  });
}
