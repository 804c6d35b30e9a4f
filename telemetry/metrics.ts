// What the API counts, for Prometheus. Labels are closed lists or route patterns: never an id.
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** Events that Temporal took. */
  webhooksAccepted: Counter<'resource'>;
  /** Events that this process had handed to Temporal before. */
  webhookDuplicates: Counter;
  /** Events of a type that this release does not know. */
  webhookEventsUnknown: Counter<'resource'>;
  /** Events delivered to a path whose connection does not exist: every connection is asked instead. */
  webhookConnectionsUnknown: Counter;
  /** Whole calls whose signature is genuine and of another time: a few are replays, many a clock that is wrong. */
  webhooksStale: Counter;
  /** Whole calls that were not answered with 200, by the code of their problem. */
  webhooksRefused: Counter<'reason'>;
}

// Long polls (`?wait=`) delay answers for up to 30 seconds on purpose.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A registry of its own for each app. With `ofProcess` it also measures memory, CPU and the event loop. */
export function createMetrics({ ofProcess = false } = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'payto_api_request_duration_seconds',
      help: 'Time to answer, by route pattern.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    webhooksAccepted: new Counter({
      name: 'payto_webhook_events_accepted_total',
      help: 'Pushed events that Temporal took.',
      labelNames: ['resource'],
      registers,
    }),
    webhookDuplicates: new Counter({
      name: 'payto_webhook_events_duplicate_total',
      help: 'Pushed events that this process had handed to Temporal before.',
      registers,
    }),
    webhookEventsUnknown: new Counter({
      name: 'payto_webhook_events_unknown_total',
      help: 'Pushed events of a type that this release does not know.',
      labelNames: ['resource'],
      registers,
    }),
    webhookConnectionsUnknown: new Counter({
      name: 'payto_webhook_connections_unknown_total',
      help: 'Pushed events whose path names a connection that does not exist.',
      registers,
    }),
    webhooksStale: new Counter({
      name: 'payto_webhook_calls_stale_total',
      help: 'Webhook calls with a genuine signature of another time: taken as unconfirmed.',
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
