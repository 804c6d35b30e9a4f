import { parseArgs } from 'node:util';
import { againWith, reportOf } from './report.js';
import { runChaos } from './run.js';

const ANY_SEED = 0x7fffffff;

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * ANY_SEED)) },
  },
});
const whole = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`expected --${name} to be a whole number from 1; got ${text}`);
  return value;
};
const seed = whole('seed', values.seed);
const payments = whole('payments', values.payments);
const rounds = whole('rounds', values.rounds);

console.log(`seed ${seed}, ${payments} payments`);
try {
  const run = await runChaos({ seed, payments, rounds, print: console.log });
  console.log(reportOf(run));
  if (run.verdict.violation !== undefined) throw new Error(run.verdict.violation);
} catch (error) {
  console.error(error);
  console.error(againWith(seed, payments));
  process.exitCode = 1;
}
