// What activities are given: the provider's client, a way to a good token, Temporal, the keys.
import type { Client } from '@temporalio/client';
import type { OAuth } from '../payments-api/oauth.js';
import type { PaymentsApi } from '../payments-api/client.js';
import type { Keyring } from '../sealing/keyring.js';
import type { WithAccess } from './access.js';

export interface Dependencies {
  payments: PaymentsApi;
  oauth: OAuth;
  withAccess: WithAccess;
  temporal: Client;
  keyring: Keyring;
  /** Epoch milliseconds. */
  now: () => number;
}
