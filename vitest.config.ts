// The tiers of the test suite, distinguished by file names:
//   unit      every other *.test.ts: pure, or over loopback; in threads that share modules, without Temporal
//   server    *.server.test.ts: Temporal's server and one worker per process, which its files share
//   road      test/road/: workflows over HTTP, everything real except the provider
//   system    test/system/ and *.system.test.ts: kills, process starts, real waits, browsers, the release
//   chaos     test/chaos/: payments while worker, API and PostgreSQL are killed; it starts its own servers
//   long      *.long.test.ts, and the long form of tests of the tiers above (test/support/size.ts)
//   histories records the histories for test/replay/
// `npm test` runs the first three, `npm run test:system` the next two (tools/suite/), `npm run test:long` the one after them.
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const SERVER_SETUP = 'test/support/global-setup.ts';
const BUILD_SETUP = 'test/support/build.ts';

const SERVER = 'test/**/*.server.test.ts';
const ROAD = 'test/road/**/*.test.ts';
const SYSTEM = ['test/system/**/*.test.ts', 'test/**/*.system.test.ts'];
const CHAOS = 'test/chaos/**/*.system.test.ts';
const LONG = 'test/**/*.long.test.ts';
/** These tests do more in the long form. */
const SIZED = [
  'test/api/http/hostile.test.ts',
  'test/road/repair.test.ts',
  'test/system/batches.test.ts',
  'test/system/records-killed.test.ts',
  'test/workflows/agreement/workflow/continue-as-new*.system.test.ts',
  'test/workflows/on-temporal/call-options.system.test.ts',
  CHAOS,
  LONG,
];
const MINUTE_MS = 60_000;

/** The only time limit of a test, wide enough for a busy machine. */
const limit = (minutes: number) => ({
  testTimeout: minutes * MINUTE_MS,
  hookTimeout: minutes * MINUTE_MS,
});

/** Three workers for two cores, because the server and road tiers wait half of their time. They keep modules between files, because loading modules dominates small files. */
const KEEPING = { isolate: false, maxWorkers: 3 };

const tier = (
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  test: { name, setupFiles: ['test/support/file-cpu.ts'], ...test },
});

/** These tests mostly wait: for missed heartbeats, for process starts, for the provider's clock. */
const WAITING = { maxWorkers: 5, sequence: { groupOrder: 1 } };

/** Forks, because a process can have only one native core of Temporal. */
const serverTier: typeof tier = (name, test) =>
  tier(name, { pool: 'forks', globalSetup: [SERVER_SETUP], ...test });

export default defineConfig({
  test: {
    projects: [
      tier('unit', {
        ...KEEPING,
        ...limit(3),
        include: ['test/**/*.test.ts'],
        exclude: [SERVER, ROAD, ...SYSTEM, LONG],
        pool: 'threads',
      }),
      serverTier('server', { ...KEEPING, ...limit(3), include: [SERVER] }),
      serverTier('road', { ...KEEPING, ...limit(3), include: [ROAD] }),
      serverTier('system', {
        ...WAITING,
        ...limit(5),
        globalSetup: [SERVER_SETUP, BUILD_SETUP],
        include: SYSTEM,
        exclude: [CHAOS, LONG],
      }),
      tier('chaos', { ...WAITING, pool: 'forks', globalSetup: [BUILD_SETUP], include: [CHAOS] }),
      // Each runs alone, so that other tests do not affect its counts.
      serverTier('long', {
        ...limit(60),
        globalSetup: [SERVER_SETUP, BUILD_SETUP],
        include: SIZED,
        env: { TEST_SIZE: 'long' },
        maxWorkers: 1,
        sequence: { groupOrder: 2 },
      }),
      serverTier('histories', { ...limit(3), include: ['test/replay/record.ts'], maxWorkers: 1 }),
    ],
  },
});
