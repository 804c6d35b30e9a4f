// GET /bank_accounts/{id}
import type { Engine } from '../engine.js';
import { findFloatAccount } from './find-float-account.js';
import { formatFloatAccount } from './format-float-account.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'get_float_account',
  method: 'GET',
  path: '/bank_accounts/:id',
  scope: 'bank_accounts',
} as const;

export function registerGetFloatAccount(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid }) => ({
    status: 200,
    body: { data: formatFloatAccount(findFloatAccount(engine, uid)) },
  }));
}
