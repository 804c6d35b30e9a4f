// GET /clients/{id}: also the only way to learn that a service has become active.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';
import { findClient } from './client-records.js';
import { formatClient } from './format-client.js';

const OPERATION = { name: 'get_client', method: 'GET', path: '/clients/:id', scope: 'clients' } as const;

export function registerGetClient(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, version }) => ({
    status: 200,
    body: { data: formatClient(findClient(engine, uid), version) },
  }));
}
