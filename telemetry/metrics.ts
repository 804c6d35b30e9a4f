// The API's metrics for Prometheus. Labels are closed lists or route patterns, never ids.
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** Events that Temporal stored. */
  webhooksAccepted: Counter<'resource'>;
  /** Events that this process had already delivered to Temporal. */
  webhookDuplicates: Counter;
  /** Events of a type that this release does not know. */
  webhookEventsUnknown: Counter<'resource'>;
  /** Events delivered to the path of an unknown connection. We then look them up on every connection. */
  webhookConnectionsUnknown: Counter;
  /** Calls with a genuine signature whose timestamp is out of tolerance. A few are replays; many indicate a wrong clock. */
  webhooksStale: Counter;
  /** Requests with a key that does not exist. */
  loginsFailed: Counter<'where'>;
  /** Calls that were not answered with 200, by problem code. */
  webhooksRefused: Counter<'reason'>;
}

// Long polls (`?wait=`) delay answers for up to 30 seconds on purpose.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A separate registry for each app. With `ofProcess` it also measures memory, CPU and the event loop. */
export function createMetrics({ ofProcess = false } = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'payto_api_request_duration_seconds',
      help: 'Response time, by route pattern.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    loginsFailed: new Counter({
      name: 'payto_api_logins_failed_total',
      help: 'Requests with a key that does not exist, at the API or at the sign-in of the codec.',
      labelNames: ['where'],
      registers,
    }),
    ...webhookMetrics(registers),
  };
}

type WebhookMetrics = Omit<Metrics, 'registry' | 'requestSeconds' | 'loginsFailed'>;

function webhookMetrics(registers: Registry[]): WebhookMetrics {
  return {
    webhooksAccepted: new Counter({
      name: 'payto_webhook_events_accepted_total',
      help: 'Webhook events that Temporal stored.',
      labelNames: ['resource'],
      registers,
    }),
    webhookDuplicates: new Counter({
      name: 'payto_webhook_events_duplicate_total',
      help: 'Webhook events that this process had already delivered to Temporal.',
      registers,
    }),
    webhookEventsUnknown: new Counter({
      name: 'payto_webhook_events_unknown_total',
      help: 'Webhook events of a type that this release does not know.',
      labelNames: ['resource'],
      registers,
    }),
    webhookConnectionsUnknown: new Counter({
      name: 'payto_webhook_connections_unknown_total',
      help: 'Webhook events whose path names an unknown connection.',
      registers,
    }),
    webhooksStale: new Counter({
      name: 'payto_webhook_calls_stale_total',
      help: 'Webhook calls with a genuine signature but a timestamp out of tolerance, accepted as unconfirmed.',
      registers,
    }),
    webhooksRefused: new Counter({
      name: 'payto_webhook_calls_refused_total',
      help: 'Webhook calls that were not answered with 200.',
      labelNames: ['reason'],
      registers,
    }),
  };
}
