// A figure beside its limit, and the middle of several: what every bench prints and judges by.

export interface Figure {
  what: string;
  met: number;
  /** The most that it may be; absent where it is counted to be known, and nothing was promised. */
  limit?: number;
}

/** Prints a figure. Over its limit the process ends with exit code 1. */
export function judge({ what, met, limit }: Figure): void {
  if (limit === undefined) return console.log(`     ${what}: ${met}, no limit`);
  console.log(`${verdict(met <= limit)} ${what}: ${met}, limit ${limit}`);
}

/** What stands at the beginning of a line. Once a limit is passed the process ends with exit code 1. */
export function verdict(isWithin: boolean): string {
  if (!isWithin) process.exitCode = 1;
  return isWithin ? 'ok  ' : 'OVER';
}

export function median(values: readonly number[]): number {
  const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined || !(middle > 0)) {
    throw new Error(`expected measurements; met ${values.join(', ')}`);
  }
  return middle;
}
