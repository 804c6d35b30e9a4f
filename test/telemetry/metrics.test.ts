import { expect, test } from 'vitest';
import { createMetrics } from '../../telemetry/metrics.js';

const SECONDS = ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '30', '+Inf'];
const COUNTERS = [
  'payto_api_logins_failed_total',
  'payto_webhook_events_accepted_total',
  'payto_webhook_events_duplicate_total',
  'payto_webhook_events_unknown_total',
  'payto_webhook_connections_unknown_total',
  'payto_webhook_calls_stale_total',
  'payto_webhook_calls_refused_total',
];

const samplesIn = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const typesIn = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith('# TYPE ') ? line.slice('# TYPE '.length) : []));

test('dashboards find each metric under its name, labels and buckets, and no others', async () => {
  const metrics = createMetrics();
  metrics.requestSeconds.record(0.3, { method: 'GET', route: '/v1/agreements/:uid', status: '200' });
  metrics.loginsFailed.add(1, { where: 'api' });
  metrics.webhooksAccepted.add(2, { resource: 'agreement' });
  metrics.webhookDuplicates.add(3);
  metrics.webhookEventsUnknown.add(4, { resource: 'payment' });
  metrics.webhookConnectionsUnknown.add(5);
  metrics.webhooksStale.add(6);
  metrics.webhooksRefused.add(7, { reason: 'invalid_signature' });
  const text = await metrics.text();
  const labels = 'method="GET",route="/v1/agreements/:uid",status="200"';
  expect(samplesIn(text)).toEqual([
    `payto_api_request_duration_seconds_count{${labels}} 1`,
    `payto_api_request_duration_seconds_sum{${labels}} 0.3`,
    ...SECONDS.map(
      (le, at) => `payto_api_request_duration_seconds_bucket{${labels},le="${le}"} ${at < 6 ? 0 : 1}`,
    ),
    'payto_api_logins_failed_total{where="api"} 1',
    'payto_webhook_events_accepted_total{resource="agreement"} 2',
    'payto_webhook_events_duplicate_total 3',
    'payto_webhook_events_unknown_total{resource="payment"} 4',
    'payto_webhook_connections_unknown_total 5',
    'payto_webhook_calls_stale_total 6',
    'payto_webhook_calls_refused_total{reason="invalid_signature"} 7',
  ]);
  expect(typesIn(text)).toEqual([
    'payto_api_request_duration_seconds histogram',
    ...COUNTERS.map((name) => `${name} counter`),
  ]);
});

test('counters without labels are 0 before their first count, so that an alert sees it', async () => {
  expect(samplesIn(await createMetrics().text())).toEqual([
    'payto_webhook_events_duplicate_total 0',
    'payto_webhook_connections_unknown_total 0',
    'payto_webhook_calls_stale_total 0',
  ]);
});

test('thousands of combinations of labels stay separate', async () => {
  const metrics = createMetrics();
  for (let at = 0; at < 2500; at += 1) metrics.webhooksRefused.add(1, { reason: `code_${at}` });
  const text = await metrics.text();
  expect(text.match(/^payto_webhook_calls_refused_total\{reason="code_\d+"\} 1$/gm)).toHaveLength(2500);
});

test('the metrics of the process have the names that dashboards use, and positive values', async () => {
  const text = await createMetrics({ ofProcess: true }).text();
  expect(typesIn(text).filter((type) => !type.startsWith('payto_'))).toEqual([
    'process_cpu_user_seconds_total counter',
    'process_cpu_system_seconds_total counter',
    'process_cpu_seconds_total counter',
    'process_start_time_seconds gauge',
    'process_resident_memory_bytes gauge',
    'nodejs_heap_size_total_bytes gauge',
    'nodejs_heap_size_used_bytes gauge',
    'nodejs_external_memory_bytes gauge',
    ...(process.platform === 'linux' ? ['process_open_fds gauge'] : []),
    'nodejs_eventloop_lag_mean_seconds gauge',
    'nodejs_eventloop_lag_max_seconds gauge',
    'nodejs_eventloop_lag_p50_seconds gauge',
    'nodejs_eventloop_lag_p90_seconds gauge',
    'nodejs_eventloop_lag_p99_seconds gauge',
  ]);
  for (const line of samplesIn(text).filter((one) => one.startsWith('process_')))
    expect(Number(line.split(' ')[1]), line).toBeGreaterThan(0);
});
