// The API's metrics for Prometheus. Labels are closed lists or route patterns, never ids.
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Meter } from '@opentelemetry/api';
import { measureProcess } from './process-metrics.js';

export interface Metrics {
  /** The current values in Prometheus' text format. */
  text: () => Promise<string>;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** Events that Temporal stored. */
  webhooksAccepted: LabelledCounter<'resource'>;
  /** Events that this process had already delivered to Temporal. */
  webhookDuplicates: Counter;
  /** Events of a type that this release does not know. */
  webhookEventsUnknown: LabelledCounter<'resource'>;
  /** Events delivered to the path of an unknown connection. We then look them up on every connection. */
  webhookConnectionsUnknown: Counter;
  /** Calls with a genuine signature whose timestamp is out of tolerance. A few are replays; many indicate a wrong clock. */
  webhooksStale: Counter;
  /** Requests with a key that does not exist. */
  loginsFailed: LabelledCounter<'where'>;
  /** POSTs to `/webhooks`, or to an address like it, that were not answered with 200, by problem code. */
  webhooksRefused: LabelledCounter<'reason'>;
}

// OpenTelemetry's own types let a call omit its labels, or name others.
interface Counter {
  add: (count: number) => void;
}
interface LabelledCounter<Label extends string> {
  add: (count: number, labels: Record<Label, string>) => void;
}
interface Histogram<Label extends string> {
  record: (value: number, labels: Record<Label, string>) => void;
}

// Long polls (`?wait=`) delay answers for up to 30 seconds on purpose.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Combinations of labels of one metric. Above it, the SDK merges them into one series; its default is 2000. */
const SERIES_LIMIT = 10_000;

/** Separate metrics for each app. With `ofProcess` they include memory, CPU and the event loop. */
export function createMetrics({ ofProcess = false } = {}): Metrics {
  // Only collects. The admin port serves the text.
  const reader = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({
    readers: [reader],
    views: [{ instrumentName: '*', aggregationCardinalityLimit: SERIES_LIMIT }],
  });
  const meter = provider.getMeter('payto-api');
  if (ofProcess) measureProcess(meter);
  return {
    text: () => textOf(reader),
    requestSeconds: meter.createHistogram('payto_api_request_duration_seconds', {
      description: 'Response time, by route pattern.',
      advice: { explicitBucketBoundaries: SECONDS },
    }),
    loginsFailed: meter.createCounter('payto_api_logins_failed_total', {
      description: 'Requests with a key that does not exist, at the API or at the sign-in of the codec.',
    }),
    ...webhookMetrics(meter),
  };
}

type WebhookMetrics = Omit<Metrics, 'text' | 'requestSeconds' | 'loginsFailed'>;

function webhookMetrics(meter: Meter): WebhookMetrics {
  return {
    webhooksAccepted: meter.createCounter('payto_webhook_events_accepted_total', {
      description: 'Webhook events that Temporal stored.',
    }),
    webhookDuplicates: counterFromZero(meter, 'payto_webhook_events_duplicate_total', {
      description: 'Webhook events that this process had already delivered to Temporal.',
    }),
    webhookEventsUnknown: meter.createCounter('payto_webhook_events_unknown_total', {
      description: 'Webhook events of a type that this release does not know.',
    }),
    webhookConnectionsUnknown: counterFromZero(meter, 'payto_webhook_connections_unknown_total', {
      description: 'Webhook events whose path names an unknown connection.',
    }),
    webhooksStale: counterFromZero(meter, 'payto_webhook_calls_stale_total', {
      description:
        'Webhook calls with a genuine signature but a timestamp out of tolerance, accepted as unconfirmed.',
    }),
    webhooksRefused: meter.createCounter('payto_webhook_calls_refused_total', {
      description: 'Webhook calls that were not answered with 200.',
    }),
  };
}

/** A counter that is visible before its first count, so that `increase()` sees the first one. */
function counterFromZero(meter: Meter, name: string, options: { description: string }): Counter {
  const counter = meter.createCounter(name, options);
  counter.add(0);
  return counter;
}

// No prefix, timestamps or labels of the resource. The two `true` omit target_info and the otel_scope labels.
const SERIALIZER = new PrometheusSerializer('', false, undefined, true, true);

/** @throws AggregateError if a metric could not be read, so that a scrape fails visibly. */
async function textOf(reader: PrometheusExporter): Promise<string> {
  const { resourceMetrics, errors } = await reader.collect();
  if (errors.length > 0) throw new AggregateError(errors, 'some metrics could not be read');
  return SERIALIZER.serialize(resourceMetrics);
}
