export interface Chances {
  below: (limit: number) => number;
  between: (least: number, most: number) => number;
  isOneIn: (times: number) => boolean;
  oneOf: <T>(list: readonly [T, ...T[]]) => T;
}

export function createChances(seed: number): Chances {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    isOneIn: (times) => below(times) === 0,
    oneOf: (list) => list[below(list.length)] ?? list[0],
  };
}

export const seedOf = (seed: number, life: number): number =>
  (Math.imul(seed, 0x9e3779b1) ^ Math.imul(life + 1, 0x85ebca6b)) >>> 0;
