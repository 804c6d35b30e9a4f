// The suite in tiers, told apart by names alone:
//   unit      every other *.test.ts: pure, or over loopback; in threads that share their modules, without Temporal
//   server    *.server.test.ts: Temporal's server and one worker for the file
//   road      test/road/: workflows over HTTP, everything real but the provider
//   system    test/system/ and *.system.test.ts: kills, process starts, real waits, browsers, what ships
//   chaos     test/chaos/: payments while a worker is killed every few seconds; it needs no server but its own
//   long      the long form of tests of the tiers above (test/support/size.ts)
//   histories records what test/replay/ replays
// `npm test` runs the first three, `npm run test:system` the next two (tools/suite/), `npm run test:long` the one after them.
import { defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';

const SERVER_SETUP = 'test/support/global-setup.ts';
const BUILD_SETUP = 'test/support/build.ts';

const SERVER = 'test/**/*.server.test.ts';
const ROAD = 'test/road/**/*.test.ts';
const SYSTEM = ['test/system/**/*.test.ts', 'test/**/*.system.test.ts'];
const CHAOS = 'test/chaos/**/*.system.test.ts';
/** They do more where they have the time. */
const SIZED = [
  'test/system/batches.test.ts',
  'test/workflows/agreement/workflow/continue-as-new*.system.test.ts',
  'test/workflows/entity/engine/activity-options.system.test.ts',
  CHAOS,
];
const MINUTE_MS = 60_000;

/** A test's only limit on the clock: wide enough for a machine that is busy with other things. */
const limit = (minutes: number) => ({
  testTimeout: minutes * MINUTE_MS,
  hookTimeout: minutes * MINUTE_MS,
});

/** Two workers, as there are two cores; they keep their modules from file to file, which is what a small file costs most. */
const KEEPING = { isolate: false, maxWorkers: 2 };

const tier = (
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  test: { name, ...test },
});

/** Most of them wait most of the time: for heartbeats to be missed, for processes to start, for the provider's clock. */
const WAITING = { maxWorkers: 5, sequence: { groupOrder: 1 } };

/** Forks, as Temporal's native half is one to a process. */
const serverTier: typeof tier = (name, test) =>
  tier(name, { pool: 'forks', globalSetup: [SERVER_SETUP], ...test });

export default defineConfig({
  test: {
    projects: [
      tier('unit', {
        ...KEEPING,
        ...limit(3),
        include: ['test/**/*.test.ts'],
        exclude: [SERVER, ROAD, ...SYSTEM],
        pool: 'threads',
      }),
      serverTier('server', { ...KEEPING, ...limit(3), include: [SERVER] }),
      serverTier('road', { ...KEEPING, ...limit(3), include: [ROAD] }),
      serverTier('system', {
        ...WAITING,
        ...limit(5),
        globalSetup: [SERVER_SETUP, BUILD_SETUP],
        include: SYSTEM,
        exclude: [CHAOS],
      }),
      tier('chaos', { ...WAITING, pool: 'forks', globalSetup: [BUILD_SETUP], include: [CHAOS] }),
      // Each has the machine to itself: what it counts must not hang on its neighbours.
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
