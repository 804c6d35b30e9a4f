// Client and counterparty operations (docs/provider.md#clients, #counterparties).
import { Client, Counterparty } from '../answers/resources.schema.js';
import { ClientChanges, ClientRequest, CounterpartyRequest } from '../requests/client.schema.js';
import { ClientFilter } from '../requests/filter.schema.js';
import { creates, itemOf, lists, perhaps, reads, type Asking } from './kinds.js';
import { requestBody, uidSegment } from '../requests/checked.js';
import type { Call } from '../http/send.js';

const CLIENTS = '/clients';
const COUNTERPARTIES = '/counterparties';

export const clientOperations = (asking: Asking) => ({
  /** POST /clients. Not idempotent: after an unknown outcome, look for the client in the list. */
  createClient: creates(asking, 'createClient', CLIENTS, ClientRequest, Client),
  /** GET /clients/{id}. Agreements can name the client if `services.payto` is active. */
  getClient: reads(asking, 'getClient', CLIENTS, Client),
  /** GET /clients, fetched page by page on demand. */
  listClients: lists(asking, 'listClients', CLIENTS, ClientFilter, itemOf(Client)),
  /**
   * PATCH /clients/{id}. ABN, ACN and merchant category code cannot change.
   * @returns the client; undefined if the provider only accepted the change (202).
   */
  updateClient: async (id: string, changes: ClientChanges, call: Call): Promise<Client | undefined> => {
    const name = 'updateClient';
    const path = `${CLIENTS}/${uidSegment(name, id)}`;
    const body = requestBody(name, ClientChanges, changes, asking);
    const read = perhaps(itemOf(Client));
    return asking.ask({ name, method: 'PATCH', path, body, answer: 'perhaps', read }, call);
  },
  /** POST /counterparties, from 20260901 on. Not idempotent. */
  createCounterparty: creates(
    asking,
    'createCounterparty',
    COUNTERPARTIES,
    CounterpartyRequest,
    Counterparty,
  ),
});
