// `npm test` and `npm run test:system`: runs tiers of the suite (vitest.config.ts) in one vitest process and prints their cost.
// The aim is for comparison only. Time depends on the machine, so exceeding it does not fail. With `--most-cpu`, a file that uses more CPU seconds fails.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..', '..');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
/** The shell's `times` counts all awaited descendants: forks, Temporal's server, processes started by tests. */
const TIMED = '"$@"; status=$?; times >&3; exit $status';

const PRINTED = 10;

const FileCpu = z.object({ file: z.string(), cpuMs: z.number() });
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
});

const { values, positionals: tiers } = parseArgs({
  options: { report: { type: 'string' }, aim: { type: 'string' }, 'most-cpu': { type: 'string' } },
  allowPositionals: true,
});
const { report = join(ROOT, '.data', 'test-report.json'), aim } = values;
/** A file beyond it does what a faster tier should do, or delays all others. */
const mostCpuSeconds = Number(values['most-cpu'] ?? Infinity);
await mkdir(dirname(report), { recursive: true });
await rm(report, { force: true });
const notes = `${report}.cpu`;
await rm(notes, { force: true });
const startedAtMs = performance.now();
const { exitCode, stdio } = await execa(
  'sh',
  ['-c', TIMED, 'sh', process.execPath, VITEST, ...vitestWords()],
  {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { SUITE_CPU: notes },
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
const files = await filesByCpu();
console.log('the files that used the most CPU of their own process, in seconds:');
for (const { file, seconds: used } of files.slice(0, PRINTED)) console.log(`  ${used.toFixed(1)} ${file}`);
const excessive = files.filter(({ seconds: used }) => used > mostCpuSeconds);
for (const { file } of excessive)
  console.log(
    `FAILED: ${file} used more than ${mostCpuSeconds} s. Have a faster tier prove it, or split it.`,
  );
process.exitCode = exitCode === 0 && passed > 0 && excessive.length === 0 ? 0 : 1;

function vitestWords(): string[] {
  const projects = tiers.map((name) => `--project=${name}`);
  return ['run', ...projects, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}

/** What test/support/file-cpu.ts has noted, most first. */
async function filesByCpu(): Promise<{ file: string; seconds: number }[]> {
  const lines = (await readFile(notes, 'utf8')).trimEnd().split('\n');
  return lines
    .map((line) => FileCpu.parse(JSON.parse(line)))
    .map(({ file, cpuMs }) => ({ file: relative(ROOT, file), seconds: cpuMs / 1000 }))
    .sort((a, b) => b.seconds - a.seconds);
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
