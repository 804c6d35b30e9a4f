// GET /ping: the API can be reached and the token is good. What it answers is documented nowhere.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';

const OPERATION = { name: 'ping', method: 'GET', path: '/ping', scope: null } as const;

export function registerPing(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, () => ({ status: 200, body: { data: { message: 'pong' } } }));
}
