// Clients by their ids and places in the hierarchy: the primary client on level 1, those beneath it on 2, 3 and so on.
import type { Engine } from '../engine.js';
import { refuse } from '../http/refusal.js';
import type { Client } from './client.schema.js';
import { PRIMARY_CLIENT, PRIMARY_CLIENT_ID } from './primary-client.js';

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
  throw refuse(404, 'Not Found', `There is no client with id ${id}`);
}

/** As `findClient`, and the primary client too: for what the provider itself does. */
export function findClientRecord(engine: Engine, id: string): Client {
  return id === PRIMARY_CLIENT_ID ? primaryClient(engine) : findClient(engine, id);
}

/** The client itself, then each one above it, up to the primary client. Its length is the client's level. */
export function lineOf(engine: Engine, client: Client): Client[] {
  if (client.id === PRIMARY_CLIENT_ID) return [client];
  const { parent_client_id: parentId } = client;
  const parent = parentId === null ? undefined : registeredClient(engine, parentId);
  return [client, ...lineOf(engine, parent ?? primaryClient(engine))];
}
