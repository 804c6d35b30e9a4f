// Clients by id, and their hierarchy: the primary client is level 1, its descendants are level 2, 3 and so on.
import type { Engine } from '../engine/parts.js';
import { notFound, refuse, type Refusal } from '../http/refusal.js';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { Client, type ServiceName, type PaymentAccount } from '../store/client.schema.js';

// The primary client represents the account itself, at the top of the hierarchy (docs/provider.md#clients, #versions).

/**
 * The id of the primary client in the control API. The documents show no id for it, and answers contain null instead. The
 * provider API therefore neither lists it nor accepts an id for it.
 */
const PRIMARY_CLIENT_ID = 'primary';

/** The initial record. The store has a row for it only after the first change. */
const PRIMARY_CLIENT: Client = Client.parse({
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

/** The clients visible in the provider API, newest first, without the primary client. */
export function registeredClients({ store }: Engine): Client[] {
  return [...store.clients.values()].filter(({ id }) => id !== PRIMARY_CLIENT_ID).toReversed();
}

/** The primary client, then the others, newest first. */
export function clientRecords(engine: Engine): Client[] {
  return [primaryClient(engine), ...registeredClients(engine)];
}

/** Undefined for an unknown id, and for the primary client, because callers cannot address it. */
export function registeredClient({ store }: Engine, id: string): Client | undefined {
  return id === PRIMARY_CLIENT_ID ? undefined : store.clients.get(id);
}

/** @throws Refusal 404 if no client has this id. */
export function findClient(engine: Engine, id: string): Client {
  const client = registeredClient(engine, id);
  if (client !== undefined) return client;
  throw notFound(`There is no client with id ${id}`);
}

/** Like `findClient`, but includes the primary client. Used for actions of the provider. */
export function findClientRecord(engine: Engine, id: string): Client {
  const client = id === PRIMARY_CLIENT_ID ? primaryClient(engine) : registeredClient(engine, id);
  if (client !== undefined) return client;
  throw refuse(404, 'Not Found', `There is no client with id ${id}`);
}

/** The client, then each ancestor up to the primary client. The length is the client's level. */
export function ancestryOf(engine: Engine, client: Client): Client[] {
  if (client.id === PRIMARY_CLIENT_ID) return [client];
  const { parent_client_id: parentId } = client;
  const parent = parentId === null ? undefined : registeredClient(engine, parentId);
  return [client, ...ancestryOf(engine, parent ?? primaryClient(engine))];
}

// The allowed levels of a client and their services (docs/provider.md#clients): two levels, or more if enabled.
const DEEPEST_BY_DEFAULT = 2;

/**
 * The level of a new client below this parent, or below the primary client if null.
 * @throws Refusal 422 for an unknown parent, or for a third level if deep hierarchies are not enabled.
 */
export function levelBeneath(engine: Engine, parentId: string | null): number {
  if (parentId === null) return DEEPEST_BY_DEFAULT;
  const parent = registeredClient(engine, parentId);
  if (parent === undefined) {
    throw invalid(`params.parent_client_id: there is no client with id ${parentId}`);
  }
  const level = levelOf(engine, parent) + 1;
  if (level <= DEEPEST_BY_DEFAULT || engine.settings.deepHierarchy) return level;
  throw invalid(`params.parent_client_id cannot have clients below it: level ${level} is not enabled`);
}

const invalid = (detail: string): Refusal => refuse(422, 'Validation Failed', detail);

/** Level 1 is the primary client. */
const levelOf = (engine: Engine, client: Client): number => ancestryOf(engine, client).length;

/** Documented: from the third level on, only PayTo is available. */
export function checkServices(level: number, services: readonly ServiceName[]): void {
  const refused = services.filter((service) => service !== 'payto');
  if (level <= DEEPEST_BY_DEFAULT || refused.length === 0) return;
  throw invalid(`params.services must be payto alone on level ${level}`);
}

// The ledger entry of a client contains its id and the kind of change, never its details.
type ResourceType = 'client' | 'counterparty';

export function noteChange(
  { ledger }: Engine,
  resource_type: ResourceType,
  resource_uid: string,
  { from, to }: { from: string | null; to: string },
): void {
  // No webhook reports these changes (docs/provider.md#clients); callers must poll.
  ledger.append({ kind: 'change', resource_type, resource_uid, from, to, event_id: null, event_type: null });
}

/** Undefined for an unknown uid. An account's uid, counterparty and identifier never change. */
export function paymentAccount({ store }: Engine, uid: string): PaymentAccount | undefined {
  return store.paymentAccounts.get(uid);
}

/** Version 20260901 shows the parent, earlier versions show the risk (docs/provider.md#versions). */
export function formatClient({ parent_client_id, risk_level, ...client }: Client, version: ApiVersion) {
  return isAtLeast(version, '20260901') ? { ...client, parent_client_id } : { ...client, risk_level };
}
