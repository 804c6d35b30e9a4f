import type { Run } from './run.js';

export function reportOf({ verdict, tally, kills, known }: Run): string {
  const { first, firstParked, retries, cutRetries, unsentRetries, settled } = verdict;
  const faults = [...tally.faults].map(([name, uids]) => `  ${name.replaceAll('_', ' ')}: ${uids.length}`);
  return [
    `${first} first submissions, ${settled} payments settled, ${retries} retries, the worker was killed ${kills} times`,
    `from asked for to the end, seconds: half within ${secondsAt(known, 0.5)}, three quarters within ${secondsAt(known, 0.75)}, 99 % within ${secondsAt(known, 0.99)}`,
    'met by submissions at the provider:',
    ...faults.toSorted(),
    `parked after a first submission: ${firstParked.length}`,
    `parked by rule after a retry: ${cutRetries.length} cut before the commit, ${unsentRetries.length} never sent by a killed worker`,
    `refused by the provider as a duplicate or as too much: ${tally.refused.length}`,
  ].join('\n');
}

function secondsAt(known: Run['known'], share: number): number {
  const took = [...known.values()]
    .flatMap(({ tookMs, attempts = 1 }) => (attempts > 1 || tookMs === undefined ? [] : [tookMs]))
    .toSorted((one, other) => one - other);
  return Math.round((took[Math.floor(took.length * share)] ?? 0) / 1000);
}

export const againWith = (seed: number, payments: number): string =>
  `again: npm run chaos:payments -- --payments ${payments} --seed ${seed}`;
