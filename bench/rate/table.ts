// The figures of all legs: medians of the pairs, and the ratios to the product.
import Table from 'cli-table3';
import { percentile } from '../figures.js';
import { ROLES, type LegResult, type Role } from './leg.js';
import type { LegName } from './options.js';

/** The results of each candidate, one for each pair. */
export type Results = ReadonlyMap<LegName, readonly LegResult[]>;

/** Of an even number of values, the mean of the middle two. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('expected measurements; found none');
  return (lower + upper) / 2;
}

/** The median of `of(a) / of(b)`, where both belong to the same pair. */
export function medianRatio<T>(a: readonly T[], b: readonly T[], of: (result: T) => number): number {
  const ratios = a.flatMap((result, pair) => {
    const other = b[pair];
    return other === undefined ? [] : [of(result) / of(other)];
  });
  return medianOf(ratios);
}

type Row = [what: string, of: (result: LegResult) => number | undefined, digits: number];

const cpu = (role: Role): Row => [`CPU ms a life: ${TITLES[role]}`, ({ cpuMs }) => cpuMs[role], 0];
const TITLES: Record<Role, string> = {
  server: 'Temporal server',
  worker: 'worker',
  api: 'API, or client',
  postgres: 'PostgreSQL',
  sandbox: 'sandbox',
  driver: 'driver',
};

const ROWS: readonly Row[] = [
  ['lives/s', ({ livesPerSecond }) => livesPerSecond, 2],
  ...ROLES.map(cpu),
  ['CPU ms a life, counted', ({ countedCpuMs }) => countedCpuMs, 0],
  ['reads a life', ({ reads }) => reads, 0],
  ['events a life', ({ events }) => events, 1],
  ['state transitions a life', ({ transitions }) => transitions, 1],
  ['kB of history a life', ({ kilobytes }) => kilobytes, 1],
  ['Temporal Cloud actions a life', ({ actions }) => actions, 1],
  ['visible after a webhook, ms, p50', ({ visibleMs }) => percentile(visibleMs, 50), 0],
  ['visible after a webhook, ms, p95', ({ visibleMs }) => percentile(visibleMs, 95), 0],
  ['failed workflow tasks, all lives', ({ failedTasks }) => failedTasks, 0],
];

/** One column for each candidate. */
export function printTable(results: Results): string {
  const table = new Table({ head: ['', ...results.keys()], style: { head: [], border: [], compact: true } });
  for (const [what, of, digits] of ROWS) {
    const cells = [...results.values()].map((legs) => {
      const values = legs.map(of).filter((value) => value !== undefined);
      return values.length === 0 ? '' : medianOf(values).toFixed(digits);
    });
    table.push([what, ...cells]);
  }
  return table.toString();
}

interface Ratio {
  what: string;
  over: [LegName, LegName];
  of: (result: LegResult) => number;
  aim: string;
}

const cpuOf = ({ countedCpuMs }: LegResult): number => countedCpuMs;
const rateOf = ({ livesPerSecond }: LegResult): number => livesPerSecond;
const visibleOf = ({ visibleMs }: LegResult): number => percentile(visibleMs, 50);
const RATIOS: readonly Ratio[] = [
  { what: 'CPU, bare over product', over: ['bare', 'product'], of: cpuOf, aim: 'aim: at least 0.7' },
  {
    what: 'CPU, bare with duties over product',
    over: ['duties', 'product'],
    of: cpuOf,
    aim: 'aim: at least 0.9',
  },
  { what: 'lives/s, product over bare', over: ['product', 'bare'], of: rateOf, aim: 'aim: at least 0.7' },
  {
    what: 'visible p50, product over bare',
    over: ['product', 'bare'],
    of: visibleOf,
    aim: 'aim: at most 1.5',
  },
  { what: 'CPU, other over product', over: ['other', 'product'], of: cpuOf, aim: 'no aim' },
  { what: 'lives/s, product over other', over: ['product', 'other'], of: rateOf, aim: 'no aim' },
];

/** Those of the candidates that were measured. */
export function printRatios(results: Results): string[] {
  return RATIOS.flatMap(({ what, over: [a, b], of, aim }) => {
    const [of1, of2] = [results.get(a), results.get(b)];
    return of1 && of2 ? [`${what}: ${medianRatio(of1, of2, of).toFixed(2)} (${aim})`] : [];
  });
}
