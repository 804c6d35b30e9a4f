// What activities are given: the provider's client, a way to a good token, Temporal, the keys.
import type { Client } from '@temporalio/client';
import type { OAuth } from '../payments-api/oauth.js';
import type { PaymentsApi } from '../payments-api/client.js';
import type { Keyring } from '../sealing/keyring.js';
import type { WithAccess } from './tokens/access.js';

/** How a sweep goes about its work. */
export interface SweepSettings {
  /** Milliseconds from one sweep of a connection to its next; 0 for none. */
  everyMs: number;
  /** Whether an agreement that is unknown here gets a workflow. */
  adopts: boolean;
  /** Milliseconds between two requests that a sweep makes or causes, so that payments have the budget. */
  paceMs: number;
}

export interface Dependencies {
  payments: PaymentsApi;
  oauth: OAuth;
  withAccess: WithAccess;
  temporal: Client;
  keyring: Keyring;
  sweep: SweepSettings;
  /** Epoch milliseconds. */
  now: () => number;
}
