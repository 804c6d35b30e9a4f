// The calls about the caller itself. What they answer is documented nowhere: the fields are our reading.
import { registerOperation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import type { Router } from '../http/responses.js';
import { consenterOf } from '../tokens/consenters.js';

// GET /ping: the API can be reached and the token is good. What it answers is documented nowhere.
const PING = { name: 'ping', method: 'GET', path: '/ping', scope: null } as const;

function registerPing(router: Router, engine: Engine): void {
  registerOperation(router, engine, PING, () => ({ status: 200, body: { data: { message: 'pong' } } }));
}

// GET /user: who consented, and for which account. The fields are documented nowhere: these are our reading.
const GET_USER = { name: 'get_user', method: 'GET', path: '/user', scope: null } as const;

function registerGetUser(router: Router, engine: Engine): void {
  registerOperation(router, engine, GET_USER, ({ grant }) => {
    return { status: 200, body: { data: consenterOf(grant.consenter) } };
  });
}

export const IDENTITY_ROUTES: readonly Registration[] = [registerPing, registerGetUser];
