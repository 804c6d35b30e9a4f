// A ladder in words, from its own rungs: what operators read is what is waited. Pure.
import { LADDERS } from './ladder.js';
import type { LadderName } from './ladder.js';

const UNITS = [
  [3600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const;

/** `15 s, 1 m, then every 6 h`; for a rung that repeats before the last one: `every 30 m for 24 h, then every 6 h`. */
export function ladderInWords(name: LadderName): string {
  const rungs: readonly number[] = LADDERS[name];
  const last = rungs.at(-1) ?? 0;
  const steps: { seconds: number; times: number }[] = [];
  for (const seconds of rungs.slice(0, -1)) {
    const before = steps.at(-1);
    if (before?.seconds === seconds) before.times += 1;
    else steps.push({ seconds, times: 1 });
  }
  const words = steps.map(({ seconds, times }) =>
    times === 1 ? spanInWords(seconds) : `every ${spanInWords(seconds)} for ${spanInWords(seconds * times)}`,
  );
  return [...words, `then every ${spanInWords(last)}`].join(', ');
}

/** In the largest unit of which it is whole. */
function spanInWords(seconds: number): string {
  const [size, unit] = UNITS.find(([whole]) => seconds % whole === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
}
