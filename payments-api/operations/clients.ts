// Clients of ours, and counterparties with their accounts (interface 2.8, 2.9 and 4.2, facts 15).
// In:  payments-api/client.ts.
// Out: payments-api/requests/body.ts builds bodies, query.ts filters, resources.schema.ts reads answers.
import { Client, Counterparty } from '../answers/resources.schema.js';
import { ClientChanges, ClientRequest } from '../requests/client.schema.js';
import { ClientFilter } from '../requests/filter.schema.js';
import { CounterpartyRequest } from '../counterparty-request.schema.js';
import { dataOf, itemOf, perhaps } from './kinds.js';
import { items } from '../http/paging.js';
import { queryOf } from '../query.js';
import { requestBody } from '../requests/body.js';
import { uidSegment } from '../uid.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface ClientOperations {
  /** POST /clients. Nothing guards against a second one: after an unknown outcome, look for it in the list. */
  createClient(request: ClientRequest, call: Call): Promise<Client>;
  /** GET /clients/{id}; `services.payto` tells whether agreements can name it. */
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

export function clientOperations({ ask, list, version }: Asking): ClientOperations {
  return {
    createClient: async (request, call) => {
      const name = 'createClient';
      const body = requestBody(name, ClientRequest, request, version);
      return ask({ name, method: 'POST', path: '/clients', body, read: dataOf(name, Client) }, call);
    },
    getClient: async (id, call) => {
      const name = 'getClient';
      const path = `/clients/${uidSegment(name, id)}`;
      return ask({ name, method: 'GET', path, read: dataOf(name, Client) }, call);
    },
    async *listClients(filter, call) {
      const name = 'listClients';
      const query = queryOf(name, ClientFilter, filter);
      yield* items(list({ name, method: 'GET', path: '/clients', query, readItem: itemOf(Client) }, call));
    },
    updateClient: async (id, changes, call) => {
      const name = 'updateClient';
      const path = `/clients/${uidSegment(name, id)}`;
      const body = requestBody(name, ClientChanges, changes, version);
      return ask(
        { name, method: 'PATCH', path, body, answer: 'perhaps', read: perhaps(itemOf(Client)) },
        call,
      );
    },
    createCounterparty: async (request, call) => {
      const name = 'createCounterparty';
      const body = requestBody(name, CounterpartyRequest, request, version);
      const read = dataOf(name, Counterparty);
      return ask({ name, method: 'POST', path: '/counterparties', body, read }, call);
    },
  };
}
