// What activities are given: the provider's client, a way to a good token, Temporal, the keys.
import type { Client } from '@temporalio/client';
import type { HighRisk } from '../domain/client/may-initiate.js';
import type { OAuth } from '../payments-api/oauth.js';
import type { PaymentsApi } from '../payments-api/client.js';
import type { Keyring } from '../sealing/keyring.js';
import type { ReadStop } from './temporal/stops.js';
import type { WithAccess } from './tokens/access.js';

/** How a sweep goes about its work. */
export interface SweepSettings {
  /** Milliseconds from one sweep of a connection to its next; 0 for none. */
  everyMs: number;
  /** Whether an agreement or payment that is unknown here gets a workflow. */
  adopts: boolean;
  /** Milliseconds between two requests that a sweep makes or causes, so that payments have the budget. */
  paceMs: number;
  /** Milliseconds between two workflows of a connection that are resumed: each makes a request then. */
  resumeMs: number;
}

/** How an audit of deliveries goes about its work. Its pace is a sweep's. */
export interface AuditSettings {
  /** Milliseconds from one audit of a connection to its next; 0 for none. */
  everyMs: number;
  /** Where the provider pushes to us; every webhook is audited where this is not said. */
  webhookUrl: string | undefined;
}

export interface Dependencies {
  payments: PaymentsApi;
  oauth: OAuth;
  withAccess: WithAccess;
  readStop: ReadStop;
  temporal: Client;
  /** The one that workflows are on; an activity may be on another. */
  taskQueue: string;
  keyring: Keyring;
  sweep: SweepSettings;
  audit: AuditSettings;
  highRisk: HighRisk;
  /** Epoch milliseconds. */
  now: () => number;
}
