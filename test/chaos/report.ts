// What a run prints in the end.
import type { Run } from './run.js';

export function reportOf({ verdict, tally, kills }: Run): string {
  const { first, firstParked, retries, cutRetries, unsentRetries, settled } = verdict;
  const faults = [...tally.faults].map(([name, uids]) => `  ${name.replaceAll('_', ' ')}: ${uids.length}`);
  return [
    `${first} first submissions, ${settled} payments settled, ${retries} retries, the worker was killed ${kills} times`,
    'met by submissions at the provider:',
    ...faults.toSorted(),
    `parked after a first submission: ${firstParked.length}`,
    `parked by rule after a retry: ${cutRetries.length} cut before the commit, ${unsentRetries.length} never sent by a killed worker`,
    `refused by the provider as a duplicate or as too much: ${tally.refused.length}`,
  ].join('\n');
}

export const againWith = (seed: number, payments: number): string =>
  `again: npm run chaos:payments -- --payments ${payments} --seed ${seed}`;
