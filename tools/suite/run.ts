// `npm test` and `npm run test:system`: runs tiers of the suite (vitest.config.ts) in one vitest process and prints their cost.
// The aim is for comparison only. Time depends on the machine, so exceeding it does not fail.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..', '..');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
/** The shell's `times` counts all awaited descendants: forks, Temporal's server, processes started by tests. */
const TIMED = '"$@"; status=$?; times >&3; exit $status';

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
});

const { values, positionals: tiers } = parseArgs({
  options: { report: { type: 'string' }, aim: { type: 'string' } },
  allowPositionals: true,
});
const { report = join(ROOT, '.data', 'test-report.json'), aim } = values;
await mkdir(dirname(report), { recursive: true });
await rm(report, { force: true });
const startedAtMs = performance.now();
const { exitCode, stdio } = await execa(
  'sh',
  ['-c', TIMED, 'sh', process.execPath, VITEST, ...vitestWords()],
  {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    reject: false,
  },
);
const seconds = Math.round((performance.now() - startedAtMs) / 1000);
const { numPassedTests: passed, numFailedTests: failed, ...others } = await readReport();
const skipped = others.numPendingTests + others.numTodoTests;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
console.log(
  `${seconds} s${aim === undefined ? '' : ` (aim: ${aim} s)`}, CPU ${cpuSecondsIn(String(stdio[3]))} s`,
);
process.exitCode = exitCode === 0 && passed > 0 ? 0 : 1;

function vitestWords(): string[] {
  const projects = tiers.map((name) => `--project=${name}`);
  return ['run', ...projects, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}

/** @throws Error if vitest ended before it wrote a report. */
async function readReport(): Promise<z.output<typeof Report>> {
  const text = await readFile(report, 'utf8').catch((error: unknown) => {
    throw new Error(`vitest ended without a report in ${report}`, { cause: error });
  });
  return Report.parse(JSON.parse(text));
}

/** Parses the output of `times`: one line for the shell and one for its children, each with user and system time as `1m2.34s`. */
function cpuSecondsIn(times: string): number {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 4) throw new Error(`expected four durations from times, found: ${times}`);
  return Math.round(
    parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0),
  );
}
