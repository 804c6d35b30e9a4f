// The calls about the caller itself.
import { registerOperation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import type { Router } from '../http/responses.js';
import { consenterOf } from '../tokens/consenters.js';

// GET /ping: the API can be reached and the token is good.
const PING = { name: 'ping', method: 'GET', path: '/ping', scope: null } as const;

function registerPing(router: Router, engine: Engine): void {
  registerOperation(router, engine, PING, () => ({ status: 200, body: { ping: 'pong' } }));
}

// GET /user: who consented, and for which account. It names no id: an account is recognised by its nickname and ABN.
const GET_USER = { name: 'get_user', method: 'GET', path: '/user', scope: null } as const;

function registerGetUser(router: Router, engine: Engine): void {
  registerOperation(router, engine, GET_USER, ({ grant }) => {
    return { status: 200, body: { data: consenterOf(grant.consenter) } };
  });
}

export const IDENTITY_ROUTES: readonly Registration[] = [registerPing, registerGetUser];
