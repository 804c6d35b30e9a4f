import { expect, test } from 'vitest';
import { sizeOf } from '../support/size.js';
import { againWith, reportOf } from './report.js';
import { runChaos } from './run.js';

const SEED = 1;
const PAYMENTS = sizeOf(20, 300);
const ROUNDS = sizeOf(1, 10);
const LIMIT_MS = 30 * 60_000;

test(
  'no payment, row or event is lost or repeated despite lost answers and kills of worker, API and PostgreSQL',
  async () => {
    const run = await runChaos({ seed: SEED, payments: PAYMENTS, rounds: ROUNDS, print: console.log });
    console.log(reportOf(run));
    expect(run.verdict.violation, againWith(SEED, PAYMENTS)).toBeUndefined();
    expect(run.kills).toEqual({ worker: 2 * ROUNDS, api: 2 * ROUNDS, postgres: 2 * ROUNDS });
    expect(run.tally.faults.size).toBeGreaterThan(sizeOf(1, 4));
  },
  LIMIT_MS,
);
