// POST /clients: 201 with the client; the services it asks for are pending, and active a little later.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { createClientSchema, type CreateClient } from './client-request.schema.js';
import { noteChange } from './client-ledger.js';
import { findClient } from './client-records.js';
import { requestServices } from './client-services.js';
import { Client } from './client.schema.js';
import { formatClient } from './format-client.js';
import { checkServices, levelBeneath } from './hierarchy.js';
import { riskOf } from './risk.js';
import { refuseFieldsOfOtherVersions } from './versioned-fields.js';

const OPERATION = { name: 'create_client', method: 'POST', path: '/clients', scope: 'clients' } as const;

export function registerCreateClient(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body, version }) => {
    refuseFieldsOfOtherVersions(body, version);
    const parsed = createClientSchema(version).safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const { services = [], parent_client_id = null } = parsed.data;
    checkServices(levelBeneath(engine, parent_client_id), services);
    const client = newClient(parsed.data);
    register(engine, client);
    requestServices(engine, client, services);
    return { status: 201, body: { data: formatClient(findClient(engine, client.id), version) } };
  });
}

/** No document tells of a duplicate that would be refused: the same body twice makes two clients. */
function newClient(request: CreateClient): Client {
  return Client.parse({
    ...request,
    id: randomUUID(),
    business_names: request.business_names ?? [],
    contact_information: request.contact_information ?? null,
    risk_level: request.risk_level ?? riskOf(request.merchant_category_code),
    services: { payto: null, rtp: null, de: null },
  });
}

function register(engine: Engine, client: Client): void {
  engine.store.clients.set(client.id, client);
  noteChange(engine, 'client', client.id, { from: null, to: 'registered' });
}
