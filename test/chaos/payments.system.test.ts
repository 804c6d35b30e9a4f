import { expect, test } from 'vitest';
import { sizeOf } from '../support/size.js';
import { againWith, reportOf } from './report.js';
import { runChaos } from './run.js';

const SEED = 1;
const PAYMENTS = sizeOf(20, 300);
const LIMIT_MS = 30 * 60_000;

test(
  'no payment is taken twice or lost despite lost answers and killed workers',
  async () => {
    const run = await runChaos({ seed: SEED, payments: PAYMENTS, print: console.log });
    console.log(reportOf(run));
    expect(run.verdict.violation, againWith(SEED, PAYMENTS)).toBeUndefined();
    expect(run.kills).toBeGreaterThan(0);
    expect(run.tally.faults.size).toBeGreaterThan(sizeOf(1, 4));
  },
  LIMIT_MS,
);
