import { CALL_FAULTS, type Scenario } from './events.js';
import { violationIn, type Violation } from './invariants.js';
import { play } from './play.js';
import { seedOf } from './random.js';
import { ROWS, type Rules } from './rules.js';
import { scenarioOf } from './scenario.js';

export interface Run {
  lives: number;
  met: Map<string, number>;
  steps: number[];
  faults: number[];
  cpuSeconds: number;
  failed?: { life: number; scenario: Scenario; violation: Violation };
}

const OTHER_FAULTS = [
  'webhook lost',
  'webhook late',
  'webhook twice',
  'misreport',
  'worker dies',
  'worker falls_silent',
  'no worker',
  'stall',
  'backlog',
  'hand-over',
  'forgotten agreement',
  'forgotten payment',
  'forgotten refund',
  'state lost',
  'clock jump',
  'cancel request',
  'consent taken',
  'consent revoked',
  'consent narrowed',
  'lag',
  'limit',
  'outage',
  'stop',
  'redelivery',
  'uid hidden',
  'uid of another',
  'reversal',
  'attempt pause',
  'attempt reset',
];
const TARGETS = ['write', 'read', 'token'] as const;
export const FAULTS: readonly string[] = [
  ...TARGETS.flatMap((target) => CALL_FAULTS.map((fault) => `fault ${target} ${fault}`)),
  ...OTHER_FAULTS.map((name) => `fault ${name}`),
];

const CLOCKED_EACH = 50;

export async function runLives(given: Lives, rules: Rules, went: Went = () => undefined): Promise<Run> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await lived(given, rules, went);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export interface Lives {
  lives: number;
  seed: number;
  first?: number;
}
type Went = (run: Run) => void;

async function lived({ lives, seed, first = 0 }: Lives, rules: Rules, went: Went): Promise<Run> {
  const startUsage = process.cpuUsage();
  const run: Run = { lives: 0, met: new Map(), steps: [], faults: [], cpuSeconds: 0 };
  for (let life = first; life < first + lives; life += 1) {
    const scenario = scenarioOf(seedOf(seed, life));
    const chronicle = await play(scenario, rules);
    run.lives += 1;
    run.steps.push(chronicle.steps);
    run.faults.push(chronicle.faults);
    for (const [name, times] of chronicle.met) run.met.set(name, (run.met.get(name) ?? 0) + times);
    if (run.lives % CLOCKED_EACH === 0 || run.lives === lives) {
      const { user, system } = process.cpuUsage(startUsage);
      run.cpuSeconds = (user + system) / 1e6;
      went(run);
    }
    const violation = violationIn(chronicle);
    if (violation !== undefined) return { ...run, failed: { life, scenario, violation } };
  }
  return run;
}

export function medianOf(counts: readonly number[]): number {
  const sorted = [...counts].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const LEAST = { steps: 8, faults: 2, enough: 10_000, metOf: 100_000, met: 100 } as const;

export function shortcomingsOf({ lives, met, steps, faults }: Run): string[] {
  const least = lives < LEAST.enough ? 0 : Math.floor((lives / LEAST.metOf) * LEAST.met);
  return [
    ...(medianOf(steps) < LEAST.steps
      ? [`expected a median of at least ${LEAST.steps} steps per life; got ${medianOf(steps)}`]
      : []),
    ...(medianOf(faults) < LEAST.faults
      ? [`expected a median of at least ${LEAST.faults} faults per life; got ${medianOf(faults)}`]
      : []),
    ...[...ROWS, ...FAULTS]
      .filter((name) => (met.get(name) ?? 0) < least)
      .map((name) => `expected "${name}" at least ${least} times; got ${met.get(name) ?? 0}`),
  ];
}
