// Runs tiers of the suite (vitest.config.ts) in one process of vitest, and reads what came of them and what they cost.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { watchSpeed } from './speed.js';

export const ROOT = join(import.meta.dirname, '..', '..');
/** What `npm test` may use: the whole tree of processes, at the usual speed of the machine where the limit was set (2 cores). */
export const CPU_LIMIT_SECONDS = 420;
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
/** The shell's own `times` counts every descendant that was waited for: forks, Temporal's server, what tests start. */
const TIMED = '"$@"; status=$?; times >&3; exit $status';

const Report = z.object({
  success: z.boolean(),
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

export interface Outcome {
  /** Nothing failed, and there was something to pass. */
  isGreen: boolean;
  passed: number;
  failed: number;
  skipped: number;
  /** Each failed test, or file that could not be read, with what it said: a property's seed stands there. */
  failures: readonly { what: string; why: string }[];
  cpuSeconds: number;
  /** The same at the machine's usual speed, which is what the limit is for. */
  usualCpuSeconds: number;
  clockSeconds: number;
}

export interface Tiers {
  names: readonly string[];
  /** Where vitest's own report is left. */
  report: string;
  /** Where the output goes; to the terminal when left out. */
  log?: string;
}

/** @throws Error where vitest ended before it could report. */
export async function runTiers({ names, report, log }: Tiers): Promise<Outcome> {
  await rm(report, { force: true });
  const words = [
    'run',
    ...names.map((name) => `--project=${name}`),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ];
  const output = log === undefined ? ('inherit' as const) : { file: log };
  const speed = watchSpeed();
  const fromMs = performance.now();
  const { exitCode, stdio } = await execa('sh', ['-c', TIMED, 'sh', process.execPath, VITEST, ...words], {
    cwd: ROOT,
    stdio: ['inherit', output, output, 'pipe'],
    reject: false,
  });
  const clockSeconds = (performance.now() - fromMs) / 1000;
  speed.end();
  const cpuSeconds = secondsIn(String(stdio[3]));
  const { success, numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    await readReport(report);
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [{ what: name, why: message }] : [];
    return failed.map((test) => ({
      what: `${name} > ${test.fullName}`,
      why: (test.failureMessages ?? []).join('\n'),
    }));
  });
  return {
    isGreen: success && exitCode === 0 && numPassedTests > 0,
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    failures,
    cpuSeconds,
    usualCpuSeconds: cpuSeconds / speed.slowness(),
    clockSeconds,
  };
}

async function readReport(path: string): Promise<z.output<typeof Report>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`vitest ended without a report in ${path}`, { cause: error });
  });
  return Report.parse(JSON.parse(text));
}

/** What `times` prints: a line for the shell, and one for what it ran, each with user and system as `1m2.34s`. */
function secondsIn(times: string): number {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 4) throw new Error(`expected four durations of times, met: ${times}`);
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
