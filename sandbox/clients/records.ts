// Clients by their ids and places in the hierarchy: the primary client on level 1, those beneath it on 2, 3 and so on.
import type { Engine } from '../engine/parts.js';
import { notFound, refuse, type Refusal } from '../http/refusal.js';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { Client, type ServiceName, type PaymentAccount } from '../store/client.schema.js';

// The primary client: the record of the account itself, at the top of the hierarchy (docs/provider.md#clients, #versions).

/**
 * Ours, for the control routes alone. No document shows an id for this record, and answers say null where they mean it,
 * so the API neither lists it nor takes an id for it.
 */
export const PRIMARY_CLIENT_ID = 'primary';

/** As it is before anything has changed it; from then on its row is in the store. */
export const PRIMARY_CLIENT: Client = Client.parse({
  id: PRIMARY_CLIENT_ID,
  legal_name: 'Sandbox Biller Pty Ltd',
  business_names: ['Sandbox Biller'],
  australian_business_number: '53004085616',
  australian_company_number: '004085616',
  merchant_category_code: '4900',
  contact_information: {},
  registered_address: '1 Sandbox Street, Sydney NSW 2000, Australia',
  risk_level: 'low',
  services: { payto: 'active', rtp: 'active', de: 'active' },
});

export function primaryClient({ store }: Engine): Client {
  return store.clients.get(PRIMARY_CLIENT_ID) ?? PRIMARY_CLIENT;
}

/** Newest first, without the primary client: what the API knows. */
export function registeredClients({ store }: Engine): Client[] {
  return [...store.clients.values()].filter(({ id }) => id !== PRIMARY_CLIENT_ID).toReversed();
}

/** The primary client, then the others, newest first. */
export function clientRecords(engine: Engine): Client[] {
  return [primaryClient(engine), ...registeredClients(engine)];
}

/** Undefined where no client is registered under that id; the primary client has none that callers could give. */
export function registeredClient({ store }: Engine, id: string): Client | undefined {
  return id === PRIMARY_CLIENT_ID ? undefined : store.clients.get(id);
}

/** A registered client, or the 404 for there being none. */
export function findClient(engine: Engine, id: string): Client {
  const client = registeredClient(engine, id);
  if (client !== undefined) return client;
  throw notFound(`There is no client with id ${id}`);
}

/** As `findClient`, and the primary client too: for what the provider itself does. */
export function findClientRecord(engine: Engine, id: string): Client {
  const client = id === PRIMARY_CLIENT_ID ? primaryClient(engine) : registeredClient(engine, id);
  if (client !== undefined) return client;
  throw refuse(404, 'Not Found', `There is no client with id ${id}`);
}

/** The client itself, then each one above it, up to the primary client. Its length is the client's level. */
export function ancestryOf(engine: Engine, client: Client): Client[] {
  if (client.id === PRIMARY_CLIENT_ID) return [client];
  const { parent_client_id: parentId } = client;
  const parent = parentId === null ? undefined : registeredClient(engine, parentId);
  return [client, ...ancestryOf(engine, parent ?? primaryClient(engine))];
}

// Where a client may stand and what it may have there (docs/provider.md#clients): two levels, or more where enabled.
const DEEPEST_BY_DEFAULT = 2;

/**
 * The level of a new client beneath that parent, or beneath the primary client without one. Refuses an unknown parent,
 * and a third level where the organisation has only two. Refused as faults of a field are.
 */
export function levelBeneath(engine: Engine, parentId: string | null): number {
  if (parentId === null) return DEEPEST_BY_DEFAULT;
  const parent = registeredClient(engine, parentId);
  if (parent === undefined) {
    throw invalid(`params.parent_client_id has no client with id ${parentId}`);
  }
  const level = levelOf(engine, parent) + 1;
  if (level <= DEEPEST_BY_DEFAULT || engine.settings.deepHierarchy) return level;
  throw invalid(
    `params.parent_client_id is on a level that has none beneath it: level ${level} is not enabled`,
  );
}

const invalid = (detail: string): Refusal => refuse(422, 'Validation Failed', detail);

/** 1 is the primary client. */
export const levelOf = (engine: Engine, client: Client): number => ancestryOf(engine, client).length;

/** Documented: from the third level on there is PayTo alone. */
export function checkServices(level: number, services: readonly ServiceName[]): void {
  const refused = services.filter((service) => service !== 'payto');
  if (level <= DEEPEST_BY_DEFAULT || refused.length === 0) return;
  throw invalid(`params.services must be payto alone on level ${level}`);
}

// How the ledger notes a client: by its id and a name for what changed, never by its details.
type ResourceType = 'client' | 'counterparty';

export function noteChange(
  { ledger }: Engine,
  resource_type: ResourceType,
  resource_uid: string,
  { from, to }: { from: string | null; to: string },
): void {
  // No webhook reports any of it (docs/provider.md#clients): callers find out by asking.
  ledger.append({ kind: 'change', resource_type, resource_uid, from, to, event_id: null, event_type: null });
}

// The accounts of registered counterparties, as agreements refer to them.

/** Undefined where no counterparty has an account of that uid. Its uid, counterparty and account never change. */
export function paymentAccount({ store }: Engine, uid: string): PaymentAccount | undefined {
  return store.paymentAccounts.get(uid);
}

// How a client looks on the wire, by version.

/** The parent belongs to the answers of version 20260901, the risk to those before it (docs/provider.md#versions). */
export function formatClient({ parent_client_id, risk_level, ...client }: Client, version: ApiVersion) {
  return isAtLeast(version, '20260901') ? { ...client, parent_client_id } : { ...client, risk_level };
}
