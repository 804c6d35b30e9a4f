import { killsIn } from './kills.js';
import type { Run } from './run.js';

export function reportOf({ verdict, tally, kills, known, recorded }: Run): string {
  const { first, firstParked, retries, cutRetries, unsentRetries, settled } = verdict;
  const faults = [...tally.faults].map(([name, uids]) => `  ${name.replaceAll('_', ' ')}: ${uids.length}`);
  return [
    `${first} first submissions, ${settled} settled payments, ${retries} retries, kills: ${killsIn(kills)}`,
    `${recorded.events.length} events, ${recorded.rows.size} rows and list items as at the provider`,
    `seconds from request to final state: 50 % within ${secondsAt(known, 0.5)}, 75 % within ${secondsAt(known, 0.75)}, 99 % within ${secondsAt(known, 0.99)}`,
    'faults on submissions at the provider:',
    ...faults.toSorted(),
    `parked after a first submission: ${firstParked.length}`,
    `parked after a retry: ${cutRetries.length} cut before the commit, ${unsentRetries.length} never sent by a killed worker`,
    `refused by the provider as duplicate or above a limit: ${tally.refused.length}`,
  ].join('\n');
}

function secondsAt(known: Run['known'], share: number): number {
  const took = [...known.values()]
    .flatMap(({ tookMs, attempts = 1 }) => (attempts > 1 || tookMs === undefined ? [] : [tookMs]))
    .toSorted((one, other) => one - other);
  return Math.round((took[Math.floor(took.length * share)] ?? 0) / 1000);
}

export const againWith = (seed: number, payments: number): string =>
  `reproduce: npm run chaos:payments -- --payments ${payments} --seed ${seed}`;
