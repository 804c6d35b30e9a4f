// GET /user: who consented, and for which account. The fields are documented nowhere: these are our reading.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';
import { PRIMARY_CLIENT } from '../clients/primary-client.js';
import { seededFloatAccount } from '../float-accounts/float-account.schema.js';

const OPERATION = { name: 'get_user', method: 'GET', path: '/user', scope: null } as const;

const USER = {
  id: '0195f1f0-7a11-7c00-8a00-05e400000001',
  first_name: 'Sandbox',
  last_name: 'User',
  email: 'user@biller.example',
};

export function registerGetUser(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, () => {
    const account = { id: seededFloatAccount().owner_id, name: PRIMARY_CLIENT.legal_name };
    return { status: 200, body: { data: { ...USER, account } } };
  });
}
