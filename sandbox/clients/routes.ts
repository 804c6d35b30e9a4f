// The operations on clients.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { parseOrRefuse, refuse, type Refusal } from '../http/refusal.js';
import { parseInVersion } from '../http/request.js';
import { Client } from '../store/client.schema.js';
import { createCounterparty } from './counterparties.js';
import {
  noteChange,
  findClient,
  formatClient,
  checkServices,
  levelBeneath,
  registeredClients,
} from './records.js';
import {
  createClientSchema,
  type CreateClient,
  AustralianBusinessNumber,
  UpdateClient,
} from './request.schema.js';
import { requestServices, riskOf } from './services.js';

// POST /clients: answers 201 with the client. Requested services are pending at first and become active later.
const createClient = operation(
  { name: 'create_client', method: 'POST', path: '/clients', scope: 'clients' },
  ({ body, version }, engine) => {
    const request = parseInVersion(createClientSchema(version), body, version, 422);
    const { services, parent_client_id = null } = request;
    checkServices(levelBeneath(engine, parent_client_id), services);
    const client = newClient(request);
    register(engine, client);
    requestServices(engine, client, services);
    return { status: 201, body: { data: formatClient(findClient(engine, client.id), version) } };
  },
);

/** The documents describe no duplicate check, so a repeated body creates a second client. */
function newClient(request: CreateClient): Client {
  return Client.parse({
    ...request,
    id: randomUUID(),
    contact_information: request.contact_information ?? {},
    risk_level: request.risk_level ?? riskOf(request.merchant_category_code),
    services: { payto: null, rtp: null, de: null },
  });
}

function register(engine: Engine, client: Client): void {
  engine.store.clients.set(client.id, client);
  noteChange(engine, 'client', client.id, { from: null, to: 'registered' });
}

const Query = z.strictObject({
  ...pagingParameters,
  legal_name: z.string().optional(),
  australian_business_number: AustralianBusinessNumber.optional(),
});
type Query = z.output<typeof Query>;

// GET /clients: newest first, filtered by legal name prefix and by ABN (docs/provider.md#lists). We assume that the parameters are
// named like the fields.
const listClients = operation(
  { name: 'list_clients', method: 'GET', path: '/clients', scope: 'clients' },
  ({ path, query, version }, engine) => {
    const request = parseOrRefuse(Query, query, 422);
    const wanted = registeredClients(engine).filter((client) => isWanted(client, request));
    const page = pageOf(wanted, ({ id }) => id, { path, query }, refusePage);
    const data = page.items.map((client) => formatClient(client, version));
    return { status: 200, body: { data, links: page.links } };
  },
);

/** Documented for clients: a paging error has no code. */
const refusePage = (detail: string): Refusal => refuse(422, 'Invalid request parameters', detail);

/** The name match is case-insensitive. */
function isWanted({ legal_name, australian_business_number }: Client, query: Query): boolean {
  const { legal_name: beginning = '', australian_business_number: abn } = query;
  return (
    legal_name.toLowerCase().startsWith(beginning.toLowerCase()) &&
    (abn === undefined || abn === australian_business_number)
  );
}

// GET /clients/{id}: also the only way to see that a service has become active.
const getClient = operation(
  { name: 'get_client', method: 'GET', path: '/clients/:id', scope: 'clients' },
  ({ uid, version }, engine) => ({
    status: 200,
    body: { data: formatClient(findClient(engine, uid), version) },
  }),
);

// PATCH /clients/{id}: answers 202 without a body. Omitted fields do not change.
const updateClient = operation(
  { name: 'update_client', method: 'PATCH', path: '/clients/:id', scope: 'clients' },
  ({ uid, body }, engine) => {
    const client = findClient(engine, uid);
    const changes = parseOrRefuse(UpdateClient, body, 422);
    const contact_information = { ...client.contact_information, ...changes.contact_information };
    keep(engine, Client.parse({ ...client, ...changes, contact_information }));
    return { status: 202, body: null };
  },
);

/** The texts are personal data, so the ledger records only that they changed. */
function keep(engine: Engine, client: Client): void {
  engine.store.clients.set(client.id, client);
  noteChange(engine, 'client', client.id, { from: 'registered', to: 'updated' });
}

export const CLIENT_ROUTES: readonly Registration[] = [
  createClient,
  listClients,
  getClient,
  updateClient,
  createCounterparty,
];
