// Our clients, and counterparties with their accounts (docs/provider.md#clients, #counterparties).
import { Client, Counterparty } from '../answers/resources.schema.js';
import { ClientChanges, ClientRequest, CounterpartyRequest } from '../requests/client.schema.js';
import { ClientFilter } from '../requests/filter.schema.js';
import { creates, itemOf, lists, perhaps, reads } from './kinds.js';
import { requestBody, uidSegment } from '../requests/checked.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface ClientOperations {
  /** POST /clients. Nothing guards against a second one: after an unknown outcome, look for it in the list. */
  createClient(request: ClientRequest, call: Call): Promise<Client>;
  /** GET /clients/{id}; `services.payto` shows whether agreements can name it. */
  getClient(id: string, call: Call): Promise<Client>;
  /** GET /clients, page after page as they are consumed. */
  listClients(filter: ClientFilter, call: Call): AsyncIterable<Client>;
  /**
   * PATCH /clients/{id}. ABN, ACN and merchant category code stay as they are.
   * @returns the client; nothing where the provider only accepted the change (202).
   */
  updateClient(id: string, changes: ClientChanges, call: Call): Promise<Client | undefined>;
  /** POST /counterparties, from 20260901 on. Nothing guards against a second one. */
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
