// GET /bank_accounts/{id}/entries/{entry_id}
import type { Engine } from '../engine.js';
import { findFloatAccount, findFloatEntry } from './find-float-account.js';
import { formatFloatEntry } from './format-float-account.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'get_float_entry',
  method: 'GET',
  path: '/bank_accounts/:id/entries/:entry_id',
  scope: 'bank_accounts',
} as const;

export function registerGetFloatEntry(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, params }) => {
    const entry = findFloatEntry(engine, findFloatAccount(engine, uid), params['entry_id'] ?? '');
    return { status: 200, body: { data: formatFloatEntry(entry, engine.settings.baseUrl) } };
  });
}
