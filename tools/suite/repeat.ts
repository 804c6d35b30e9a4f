// What `npm run test:repeat -- 10` does: that many runs of `npm test` in a row, every third beside two busy loops.
// Ends with 1 at the first that fails, and keeps its output and the report with its tests and seeds. More CPU than the limit
// fails a run too, but not beside the loops: they slow what waits, and so add to what it uses.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CPU_LIMIT_SECONDS, ROOT, runTiers } from './tiers.js';
import type { Outcome } from './tiers.js';

const TIERS = ['unit', 'server', 'road'];
const FOLDER = join(ROOT, '.data', 'repeat');
const BUSY_LOOPS = 2;
const EVERY = 3;

const count = Number(process.argv[2] ?? 10);
if (!Number.isInteger(count) || count < 1) throw new Error('expected how many runs, for example 10');
// Without this the busy loops would go on after the run that they are beside.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await mkdir(FOLDER, { recursive: true });
console.log(row('run', 'beside', 'passed', 'failed', 'CPU s', `of ${CPU_LIMIT_SECONDS} s`, 'clock s'));
for (let number = 1; number <= count; number += 1) {
  const isBusy = number % EVERY === 0;
  const log = join(FOLDER, `run-${number}.log`);
  const report = join(FOLDER, `run-${number}.json`);
  const outcome = await beside(isBusy ? BUSY_LOOPS : 0, () => runTiers({ names: TIERS, report, log }));
  const { passed, failed, cpuSeconds, usualCpuSeconds, clockSeconds } = outcome;
  console.log(
    row(number, isBusy ? 'two loops' : '', passed, failed, cpuSeconds, usualCpuSeconds, clockSeconds),
  );
  const isTooDear = !isBusy && usualCpuSeconds > CPU_LIMIT_SECONDS;
  if (outcome.isGreen && !isTooDear) continue;
  if (isTooDear) console.error(`more CPU than ${CPU_LIMIT_SECONDS} s: cut the dearest files of ${report}`);
  console.error(explain(outcome, log, report));
  process.exit(1);
}

async function beside(loops: number, work: () => Promise<Outcome>): Promise<Outcome> {
  const busy = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  const end = (): void => void busy.forEach((loop) => loop.kill('SIGKILL'));
  process.once('exit', end);
  try {
    return await work();
  } finally {
    end();
    process.removeListener('exit', end);
  }
}

function explain({ failures }: Outcome, log: string, report: string): string {
  const each = failures.map(({ what, why }) => `${what}\n${why.replaceAll(/^/gm, '    ')}`);
  return ['', ...each, `kept: ${log}, ${report}`].join('\n');
}

function row(...cells: readonly (string | number)[]): string {
  return cells.map((cell) => String(typeof cell === 'number' ? Math.round(cell) : cell).padEnd(14)).join('');
}
