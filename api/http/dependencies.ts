// What the API is built from; main.ts makes the real things, tests make others.
import type { HighRisk } from '../../domain/client/may-initiate.js';
import type { Verify } from '../../payments-api/webhook.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { Logger } from '../../telemetry/logger.js';
import type { Metrics } from '../../telemetry/metrics.js';
import type { ApiKey } from './api-keys.js';
import type { Clock } from './wait.js';
import type { Authorisation } from '../routes/connection/oauth-state.js';
import type { TemporalUi } from '../routes/links.js';
import type { Gateway } from '../gateway/create.js';

/** How payloads are decoded for Temporal's UI and CLI. */
export interface CodecSettings {
  /** The only namespace whose payloads are opened. */
  namespace: string;
  /** Where Temporal's UI is, exactly: scheme, host and port. Pages of no other origin may ask. */
  origins: readonly string[];
  /** Whether browsers reach us by https, so that they may send our cookie over nothing else. */
  isSecure: boolean;
}

/** What a webhook meets that was not kept: a closed connection, or an answer. */
export const UNAVAILABLE = ['close', '503'] as const;

/** What the bridge does while Temporal does not take a webhook. */
export interface BridgeSettings {
  /** For how long it is tried again. */
  patienceMs: number;
  unavailable: (typeof UNAVAILABLE)[number];
  /** The header in which the provider names its request; only the log uses it. */
  requestIdHeader: string;
  /** Aborts when the process is to stop: what is under way is finished, and nothing tried again. */
  stopping: AbortSignal;
}

export interface ApiDependencies {
  temporal: Gateway;
  keys: readonly ApiKey[];
  verify: Verify;
  bridge: BridgeSettings;
  keyring: Keyring;
  codec: CodecSettings;
  authorisation: Authorisation;
  /** The version in which the worker calls the provider's API, 8 digits. */
  providerVersion: string;
  /** How many levels of clients the organisation has, the primary one included. */
  clientDepth: number;
  highRisk: HighRisk;
  temporalUi: TemporalUi;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
}
