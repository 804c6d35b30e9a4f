// The dependencies of the API. main.ts creates the real ones, tests create fakes.
import type { HighRisk } from '../../domain/client/may-initiate.js';
import type { Header, Verdict } from '../../payments-api/webhook.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { Logger } from '../../telemetry/logger.js';
import type { Metrics } from '../../telemetry/metrics.js';
import type { ApiKey } from './api-keys.js';
import type { Changes } from '../../records/watchers.js';
import type { Progress } from '../../records/progress.js';
import type { FailedLogins } from './failed-logins.js';
import type { Auditor } from './audit.js';
import type { RateLimits } from './rate-limits.js';
import type { LongAnswers } from './long-answers.js';
import type { Limiter } from './wait-limiter.js';
import type { Clock } from './wait.js';
import type { Authorisation } from '../routes/connection/oauth-state.js';
import type { PublicKey } from '../../sealing/public-key.js';
import type { TemporalUi } from '../routes/links.js';
import type { Gateway } from '../gateway/create.js';
import type { CheckWebhookUrl } from '../webhook-urls.js';

/** Settings of the codec that decodes payloads for Temporal's UI and CLI. */
export interface CodecSettings {
  /** The only namespace whose payloads we open. */
  namespace: string;
  /** The exact origins of Temporal's UI: scheme, host and port. Only their pages may call the codec. */
  origins: readonly string[];
}

/** The response to a webhook that was not stored: a closed connection, or a 503. */
export const UNAVAILABLE = ['close', '503'] as const;

/** @param connection the connection in the path. The verdict has it if that connection's own secret proved the webhook. */
export type VerifyWebhook = (
  rawBody: Uint8Array,
  header: Header,
  nowMs: number,
  connection: string | undefined,
) => Verdict & { connection?: string | undefined };

/** How the bridge behaves while Temporal is unavailable. */
export interface BridgeSettings {
  /** How long a delivery is retried, in milliseconds. */
  patienceMs: number;
  unavailable: (typeof UNAVAILABLE)[number];
  /** The header with the provider's request id, for the log. */
  requestIdHeader: string;
  /** Aborts on shutdown: attempts in flight finish, and a delivery that waits for its retry makes one last attempt. */
  stopping: AbortSignal;
}

export interface ApiDependencies {
  temporal: Gateway;
  /** The keys that are valid now. */
  keys: () => readonly ApiKey[];
  failedLogins: FailedLogins;
  rates: RateLimits;
  verify: VerifyWebhook;
  bridge: BridgeSettings;
  /** Opens payloads and records. It opens no token. */
  keyring: Keyring;
  /** The API's own keys: consent links, OAuth states, cookies and cursors. */
  sessionKeys: Keyring;
  /** Seals the codes of consents for workers. */
  tokenKey: PublicKey;
  /** Whether browsers reach us by https. If so, they send our cookies over https only. */
  isSecure: boolean;
  codec: CodecSettings;
  authorisation: Authorisation;
  /** The version of the provider's API that the worker calls, 8 digits. */
  providerVersion: string;
  /** Whether dangerous operations need two principals. */
  isDualControl: boolean;
  /** How many client levels the provider has enabled, including the primary client. */
  clientDepth: number;
  highRisk: HighRisk;
  temporalUi: TemporalUi;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** Tells waiting requests that a row has changed. */
  changes: Changes;
  /** How far the records are. */
  progress: Progress;
  waits: Limiter;
  longAnswers: LongAnswers;
  audit: Auditor;
  /** Checks the URLs of endpoints for webhooks. */
  checkWebhookUrl: CheckWebhookUrl;
}
