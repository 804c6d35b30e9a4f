// Notes the CPU of each test file, for `npm test` (tools/suite/run.ts). Vitest runs it before each file.
import { appendFileSync } from 'node:fs';
import { env } from 'node:process';
import { isMainThread } from 'node:worker_threads';
import { afterAll, expect } from 'vitest';

/** Of this thread, or of this process with its threads. Processes that a test starts are not counted. */
const usedMs = (): number => {
  const { user, system } = isMainThread ? process.cpuUsage() : process.threadCpuUsage();
  return (user + system) / 1000;
};

const notes = env['SUITE_CPU'];
const beforeMs = usedMs();

afterAll(() => {
  const file = expect.getState().testPath;
  if (notes === undefined || file === undefined) return;
  appendFileSync(notes, `${JSON.stringify({ file, cpuMs: Math.round(usedMs() - beforeMs) })}\n`);
});
