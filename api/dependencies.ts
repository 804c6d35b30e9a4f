// What the API is built from; main.ts makes the real things, tests make others.
import type { Verify } from '../payments-api/webhook.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Logger } from '../telemetry/logger.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { ApiKey } from './auth.js';
import type { Clock } from './clock.js';
import type { Authorisation } from './consent.js';
import type { TemporalUi } from './links.js';
import type { Temporal } from './temporal.js';

export interface ApiDependencies {
  temporal: Temporal;
  keys: readonly ApiKey[];
  verify: Verify;
  keyring: Keyring;
  authorisation: Authorisation;
  temporalUi: TemporalUi;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
}
