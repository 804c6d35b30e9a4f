// The CPU time of this process for two kinds of work, measured alternately, so that other load on the machine affects both
// equally.
import { median } from '../figures.js';

export type Work = () => Promise<unknown>;

export interface Comparison {
  /** Microseconds of CPU per call, median of the rounds. */
  oursUs: number;
  bareUs: number;
  /** Median of the rounds' ratios. */
  ratio: number;
}

/** Microseconds of CPU, user and system, for this many calls in a row. */
export async function cpuOf(work: Work, calls = 1): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** @param calls of each kind per round. Half of the total runs before, to warm up the code. */
export async function compare(
  ours: Work,
  bare: Work,
  { rounds, calls }: { rounds: number; calls: number },
): Promise<Comparison> {
  const warmUp = Math.ceil((rounds * calls) / 2);
  await cpuOf(ours, warmUp);
  await cpuOf(bare, warmUp);
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isOursFirst = round % 2 === 0;
    const first = await cpuOf(isOursFirst ? ours : bare, calls);
    const second = await cpuOf(isOursFirst ? bare : ours, calls);
    pairs.push(isOursFirst ? [first, second] : [second, first]);
  }
  return {
    oursUs: median(pairs.map(([us]) => us)) / calls,
    bareUs: median(pairs.map(([, us]) => us)) / calls,
    ratio: median(pairs.map(([oursUs, bareUs]) => oursUs / bareUs)),
  };
}
