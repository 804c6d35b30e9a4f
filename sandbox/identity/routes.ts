// Calls about the caller.
import { registerOperation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import type { Router } from '../http/responses.js';
import { consenterOf } from '../tokens/consenters.js';

// GET /ping: tests the connection and the token.
const PING = { name: 'ping', method: 'GET', path: '/ping', scope: null } as const;

function registerPing(router: Router, engine: Engine): void {
  registerOperation(router, engine, PING, () => ({ status: 200, body: { ping: 'pong' } }));
}

// GET /user: the consenting user and their account. The answer has no id; callers recognise an account by its nickname and ABN.
const GET_USER = { name: 'get_user', method: 'GET', path: '/user', scope: null } as const;

function registerGetUser(router: Router, engine: Engine): void {
  registerOperation(router, engine, GET_USER, ({ grant }) => {
    return { status: 200, body: { data: consenterOf(grant.consenter) } };
  });
}

export const IDENTITY_ROUTES: readonly Registration[] = [registerPing, registerGetUser];
