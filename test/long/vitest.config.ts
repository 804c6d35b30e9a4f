import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.js';

/** What takes long: run by `npm run test:long`, and never by `npm test`. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ['test/long/**/*.test.ts'],
    exclude: [],
    // Each has the machine to itself: what it counts must not hang on its neighbours.
    maxWorkers: 1,
    testTimeout: 45 * 60_000,
    reporters: ['verbose'],
  },
});
