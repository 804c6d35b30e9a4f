// Figures with their limits, and medians, for all benches.

export interface Figure {
  what: string;
  met: number;
  /** The maximum. Absent if the figure is only informative. */
  limit?: number;
}

/** Prints a figure. Above its limit the exit code becomes 1. */
export function judge({ what, met, limit }: Figure): void {
  if (limit === undefined) return console.log(`     ${what}: ${met}, no limit`);
  console.log(`${verdict(met <= limit)} ${what}: ${met}, limit ${limit}`);
}

/** The prefix of a line. Above a limit the exit code becomes 1. */
export function verdict(isWithin: boolean): string {
  if (!isWithin) process.exitCode = 1;
  return isWithin ? 'ok  ' : 'OVER';
}

export function median(values: readonly number[]): number {
  const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined || !(middle > 0)) {
    throw new Error(`expected positive measurements; found ${values.join(', ')}`);
  }
  return middle;
}

/** @param rank 0 to 100. @returns the value, rounded to a tenth. */
export function percentile(values: readonly number[], rank: number): number {
  const at = [...values].sort((a, b) => a - b)[Math.ceil((values.length * rank) / 100) - 1];
  if (at === undefined) throw new Error('expected measurements; found none');
  return Math.round(at * 10) / 10;
}
