// Everything the provider offers on clients.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { registerOperation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { refuse, parseOrRefuse } from '../http/refusal.js';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import type { Router } from '../http/responses.js';
import { Client } from '../store/client.schema.js';
import { registerCreateCounterparty } from './counterparties.js';
import {
  noteChange,
  findClient,
  formatClient,
  checkServices,
  levelBeneath,
  registeredClients,
  levelOf,
} from './records.js';
import {
  createClientSchema,
  type CreateClient,
  AustralianBusinessNumber,
  updateClientSchema,
  type UpdateClient,
} from './request.schema.js';
import { requestServices, riskOf } from './services.js';

// The fields of a client that not every version has (docs/provider.md#versions): where a version lacks one, the refusal says so.
const CHANGED_IN = '20260901';

interface VersionedField {
  field: string;
  isKnownFrom: boolean;
  note: string;
}

const VERSIONED_FIELDS: readonly VersionedField[] = [
  { field: 'parent_client_id', isKnownFrom: true, note: `came with version ${CHANGED_IN}` },
  {
    field: 'risk_level',
    isKnownFrom: false,
    note: `was removed with version ${CHANGED_IN}, the risk is derived from merchant_category_code`,
  },
  {
    field: 'relationship',
    isKnownFrom: false,
    note: `was removed with version ${CHANGED_IN}, parent_client_id says where a client stands`,
  },
];

/** Refuses with 400, as any unknown field is, and says of each which version has it. */
export function refuseFieldsOfOtherVersions(body: unknown, version: ApiVersion): void {
  const isNew = isAtLeast(version, CHANGED_IN);
  const wrong = VERSIONED_FIELDS.filter(
    ({ field, isKnownFrom }) => isKnownFrom !== isNew && hasField(body, field),
  );
  if (wrong.length === 0) return;
  const details = wrong.map(({ field, note }) => `${field} (on version ${version}: it ${note})`);
  throw refuse(400, 'Validation Failed', `Unknown field: ${details.join(', ')}`);
}

const hasField = (body: unknown, field: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, field);

// POST /clients: 201 with the client; the services it asks for are pending, and active a little later.
const CREATE_CLIENT = { name: 'create_client', method: 'POST', path: '/clients', scope: 'clients' } as const;

function registerCreateClient(router: Router, engine: Engine): void {
  registerOperation(router, engine, CREATE_CLIENT, ({ body, version }) => {
    refuseFieldsOfOtherVersions(body, version);
    const request = parseOrRefuse(createClientSchema(version), body);
    const { services = [], parent_client_id = null } = request;
    checkServices(levelBeneath(engine, parent_client_id), services);
    const client = newClient(request);
    register(engine, client);
    requestServices(engine, client, services);
    return { status: 201, body: { data: formatClient(findClient(engine, client.id), version) } };
  });
}

/** No document describes a duplicate that would be refused: the same body twice makes two clients. */
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

// GET /clients: newest first, filtered by the beginning of the legal name and by ABN (docs/provider.md#lists).
// The parameters' names are our reading: those of the fields.
const LIST_CLIENTS = { name: 'list_clients', method: 'GET', path: '/clients', scope: 'clients' } as const;

const Query = z.strictObject({
  ...pagingParameters,
  legal_name: z.string().optional(),
  australian_business_number: AustralianBusinessNumber.optional(),
});
type Query = z.output<typeof Query>;

function registerListClients(router: Router, engine: Engine): void {
  registerOperation(router, engine, LIST_CLIENTS, ({ path, query, version }) => {
    const request = parseOrRefuse(Query, query);
    const wanted = registeredClients(engine).filter((client) => isWanted(client, request));
    const page = pageOf(wanted, ({ id }) => id, { path, query });
    const data = page.items.map((client) => formatClient(client, version));
    return { status: 200, body: { data, links: page.links } };
  });
}

/** Capitals do not count in the name. */
function isWanted({ legal_name, australian_business_number }: Client, query: Query): boolean {
  const { legal_name: beginning = '', australian_business_number: abn } = query;
  return (
    legal_name.toLowerCase().startsWith(beginning.toLowerCase()) &&
    (abn === undefined || abn === australian_business_number)
  );
}

// GET /clients/{id}: also the only way to learn that a service has become active.
const GET_CLIENT = { name: 'get_client', method: 'GET', path: '/clients/:id', scope: 'clients' } as const;

function registerGetClient(router: Router, engine: Engine): void {
  registerOperation(router, engine, GET_CLIENT, ({ uid, version }) => ({
    status: 200,
    body: { data: formatClient(findClient(engine, uid), version) },
  }));
}

// PATCH /clients/{id}: 202 without a body. What is not named stays, null empties a field, services are added alone.
const UPDATE_CLIENT = {
  name: 'update_client',
  method: 'PATCH',
  path: '/clients/:id',
  scope: 'clients',
} as const;

function registerUpdateClient(router: Router, engine: Engine): void {
  registerOperation(router, engine, UPDATE_CLIENT, ({ uid, body, version }) => {
    const client = findClient(engine, uid);
    refuseFieldsOfOtherVersions(body, version);
    const request = parseOrRefuse(updateClientSchema(version), body);
    const { services = [] } = request;
    checkServices(levelOf(engine, client), services);
    keep(engine, changed(client, request));
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

export const CLIENT_ROUTES: readonly Registration[] = [
  registerCreateClient,
  registerListClients,
  registerGetClient,
  registerUpdateClient,
  registerCreateCounterparty,
];
