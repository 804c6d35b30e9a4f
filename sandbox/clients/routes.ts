// Everything the provider offers on clients and counterparties.
import type { Registration } from '../http/operation.js';
import { registerCreateClient } from './create-client.js';
import { registerCreateCounterparty } from './create-counterparty.js';
import { registerGetClient } from './get-client.js';
import { registerListClients } from './list-clients.js';
import { registerUpdateClient } from './update-client.js';

export const CLIENT_ROUTES: readonly Registration[] = [
  registerCreateClient,
  registerListClients,
  registerGetClient,
  registerUpdateClient,
  registerCreateCounterparty,
];
