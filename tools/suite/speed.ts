// How fast this machine is while something runs: a fixed piece of work, done again and again beside it, in CPU seconds of its own. Two cores
// that share a machine with others are half as fast at one hour as at another, and everything then uses so much more CPU.
const EVERY_MS = 15_000;
/** What the work takes on the machine and at the hour for which limits were set: beside tests on every core, and beside nothing. */
const USUAL_SECONDS = { amongTests: 0.125, alone: 0.095 } as const;

export interface Speed {
  /** Does the work once. */
  measure: () => void;
  /** What all of that took. */
  cpuSeconds: () => number;
  /** How many times as long as usual everything takes; 1 where it is quicker, or was never measured. */
  slowness: () => number;
}

export function createSpeed(usual: keyof typeof USUAL_SECONDS): Speed {
  const measured: number[] = [];
  const cpuSeconds = (): number => measured.reduce((sum, one) => sum + one, 0);
  return {
    measure: () => void measured.push(work()),
    cpuSeconds,
    slowness: () =>
      measured.length === 0 ? 1 : Math.max(cpuSeconds() / measured.length / USUAL_SECONDS[usual], 1),
  };
}

/** Measures for as long as something else runs. */
export function watchSpeed(): Pick<Speed, 'slowness'> & { end: () => void } {
  // The first is compiled on the way.
  work();
  const { measure, slowness } = createSpeed('amongTests');
  const timer = setInterval(measure, EVERY_MS);
  return { slowness, end: () => clearInterval(timer) };
}

const TURNS = 300;

/** @returns the CPU seconds that it took. */
function work(): number {
  const before = process.cpuUsage();
  let found = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const rows = Array.from({ length: 200 }, (_, n) => ({
      n,
      name: `row ${turn + n}`,
      at: new Date(n * 1e9).toISOString(),
    }));
    found += (JSON.parse(JSON.stringify(rows)) as typeof rows).filter(({ name }) =>
      name.endsWith('7'),
    ).length;
  }
  if (found === 0) throw new Error('expected the work to find something');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
