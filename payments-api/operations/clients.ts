// Client and counterparty operations (docs/provider.md#clients, #counterparties).
import { Client, Counterparty } from '../answers/resources.schema.js';
import { ClientChanges, ClientRequest, CounterpartyRequest } from '../requests/client.schema.js';
import { ClientFilter } from '../requests/filter.schema.js';
import { creates, itemOf, lists, perhaps, reads } from './kinds.js';
import { requestBody, uidSegment } from '../requests/checked.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface ClientOperations {
  /** POST /clients. Not idempotent: after an unknown outcome, look for the client in the list. */
  createClient(request: ClientRequest, call: Call): Promise<Client>;
  /** GET /clients/{id}. Agreements can name the client if `services.payto` is active. */
  getClient(id: string, call: Call): Promise<Client>;
  /** GET /clients, fetched page by page on demand. */
  listClients(filter: ClientFilter, call: Call): AsyncIterable<Client>;
  /**
   * PATCH /clients/{id}. ABN, ACN and merchant category code cannot change.
   * @returns the client; undefined if the provider only accepted the change (202).
   */
  updateClient(id: string, changes: ClientChanges, call: Call): Promise<Client | undefined>;
  /** POST /counterparties, from 20260901 on. Not idempotent. */
  createCounterparty(request: CounterpartyRequest, call: Call): Promise<Counterparty>;
}

export function clientOperations(asking: Asking): ClientOperations {
  return {
    createClient: creates(asking, 'createClient', '/clients', ClientRequest, Client),
    getClient: reads(asking, 'getClient', '/clients', Client),
    listClients: lists(asking, 'listClients', '/clients', ClientFilter, itemOf(Client)),
    updateClient: async (id, changes, call) => {
      const name = 'updateClient';
      const path = `/clients/${uidSegment(name, id)}`;
      const body = requestBody(name, ClientChanges, changes, asking);
      const read = perhaps(itemOf(Client));
      return asking.ask({ name, method: 'PATCH', path, body, answer: 'perhaps', read }, call);
    },
    createCounterparty: creates(
      asking,
      'createCounterparty',
      '/counterparties',
      CounterpartyRequest,
      Counterparty,
    ),
  };
}
