import { parseArgs } from 'node:util';
import { SHIPPED } from './rules.js';
import { reportOf } from './report.js';
import { runLives, shortcomingsOf, type Run } from './run.js';
import { shrunk, failureReportOf } from './shrink.js';

const PROGRESS_MS = 2000;
const ANY_SEED = 0x7fffffff;

const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * ANY_SEED)) },
    life: { type: 'string' },
  },
});
const whole = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`expected --${name} to be a whole number from 0; got ${text}`);
  return value;
};
const seed = whole('seed', values.seed);
const single = values.life === undefined ? undefined : whole('life', values.life);
const lives = single === undefined ? whole('lives', values.lives) : 1;

let nextMs = Date.now() + PROGRESS_MS;
const progress = ({ lives: done, cpuSeconds }: Run): void => {
  if (Date.now() < nextMs) return;
  nextMs = Date.now() + PROGRESS_MS;
  console.log(`${done} of ${lives} lives, ${Math.round(done / cpuSeconds)} per second of CPU`);
};
console.log(`seed ${seed}, ${lives} lives`);
const run = await runLives({ lives, seed, first: single ?? 0 }, SHIPPED, progress);
console.log(reportOf(run));
if (run.failed === undefined) {
  const shortcomings = single === undefined ? shortcomingsOf(run) : [];
  shortcomings.forEach((line) => {
    console.error(line);
  });
  process.exitCode = shortcomings.length === 0 ? 0 : 1;
} else {
  const { life, scenario, violation } = run.failed;
  console.error(`${violation.invariant}: ${violation.detail}`);
  console.error(await failureReportOf(await shrunk(scenario, violation.invariant, SHIPPED), SHIPPED));
  console.error(`reproduce: npm run simulate -- --seed ${seed} --life ${life}`);
  process.exitCode = 1;
}
