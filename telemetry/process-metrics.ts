// Memory, CPU and event loop of the process, under the names that dashboards for Prometheus' Node clients use.
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';

const MICROS = 1e6;
const NANOS = 1e9;
const STARTED = Math.round(Date.now() / 1000 - process.uptime());

type Row<From extends unknown[] = []> = readonly [
  name: string,
  description: string,
  read: (...from: From) => number,
];
type EventLoopDelay = ReturnType<typeof monitorEventLoopDelay>;

const COUNTERS: readonly Row[] = [
  ['process_cpu_user_seconds_total', 'User CPU time.', () => process.cpuUsage().user / MICROS],
  ['process_cpu_system_seconds_total', 'System CPU time.', () => process.cpuUsage().system / MICROS],
  ['process_cpu_seconds_total', 'User and system CPU time.', cpuSeconds],
];

const GAUGES: readonly Row[] = [
  ['process_start_time_seconds', 'Start of the process, since the Unix epoch.', () => STARTED],
  ['process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
  ['nodejs_heap_size_total_bytes', 'Size of the heap.', () => process.memoryUsage().heapTotal],
  ['nodejs_heap_size_used_bytes', 'Used part of the heap.', () => process.memoryUsage().heapUsed],
  ['nodejs_external_memory_bytes', 'Memory outside the heap.', () => process.memoryUsage().external],
];
const LINUX_GAUGES: readonly Row[] = [
  ['process_open_fds', 'Open file descriptors.', () => readdirSync('/proc/self/fd').length],
];

const LAGS: readonly Row<[EventLoopDelay]>[] = [
  ['nodejs_eventloop_lag_mean_seconds', 'Mean delay of the event loop.', (delay) => delay.mean],
  ['nodejs_eventloop_lag_max_seconds', 'Longest delay of the event loop.', (delay) => delay.max],
  ['nodejs_eventloop_lag_p50_seconds', 'Median delay of the event loop.', (delay) => delay.percentile(50)],
  ['nodejs_eventloop_lag_p90_seconds', '90th percentile of the delay.', (delay) => delay.percentile(90)],
  ['nodejs_eventloop_lag_p99_seconds', '99th percentile of the delay.', (delay) => delay.percentile(99)],
];

/** Measures on each scrape. */
export function measureProcess(meter: Meter): void {
  for (const [name, description, read] of COUNTERS)
    meter.createObservableCounter(name, { description }).addCallback((to) => to.observe(read()));
  const gauges = process.platform === 'linux' ? [...GAUGES, ...LINUX_GAUGES] : GAUGES;
  for (const [name, description, read] of gauges)
    meter.createObservableGauge(name, { description }).addCallback((to) => to.observe(read()));
  measureEventLoop(meter);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROS;
}

/** The delays since the previous scrape. */
function measureEventLoop(meter: Meter): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const gauges = LAGS.map(([name, description, read]) => ({
    gauge: meter.createObservableGauge(name, { description }),
    read,
  }));
  meter.addBatchObservableCallback(
    (to) => {
      for (const { gauge, read } of gauges) to.observe(gauge, read(delay) / NANOS);
      delay.reset();
    },
    gauges.map(({ gauge }) => gauge),
  );
}
