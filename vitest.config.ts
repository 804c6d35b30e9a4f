import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Most of a test's time is waiting for a server or a clock, so a few files at once cost two cores little.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '.data/test-report.json' }]],
  },
});
