// PATCH /clients/{id}: 202 without a body. What is not named stays, null empties a field, services are added alone.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { updateClientSchema, type UpdateClient } from './client-request.schema.js';
import { noteChange } from './client-ledger.js';
import { findClient } from './client-records.js';
import { requestServices } from './client-services.js';
import { Client } from './client.schema.js';
import { checkServices, levelOf } from './hierarchy.js';
import { refuseFieldsOfOtherVersions } from './versioned-fields.js';

const OPERATION = { name: 'update_client', method: 'PATCH', path: '/clients/:id', scope: 'clients' } as const;

export function registerUpdateClient(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body, version }) => {
    const client = findClient(engine, uid);
    refuseFieldsOfOtherVersions(body, version);
    const parsed = updateClientSchema(version).safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const { services = [] } = parsed.data;
    checkServices(levelOf(engine, client), services);
    keep(engine, changed(client, parsed.data));
    requestServices(engine, client, services);
    return { status: 202, body: null };
  });
}

function changed(client: Client, said: UpdateClient): Client {
  const { business_names = client.business_names } = said;
  return Client.parse({
    ...client,
    ...said,
    business_names: business_names ?? [],
    services: client.services,
  });
}

/** What the texts were and are is personal: the ledger says only that there was a change. */
function keep(engine: Engine, client: Client): void {
  engine.store.clients.set(client.id, client);
  noteChange(engine, 'client', client.id, { from: 'registered', to: 'updated' });
}
