// Daily limits: counts by key over the last 24 hours of the sandbox's clock.
import type { Engine } from '../engine/parts.js';
import type { FixedCode } from '../http/refusal.js';

const DAY_MS = 24 * 60 * 60_000;

export interface DayLimit<Code extends FixedCode = FixedCode> {
  /** The counter, for example `alias/requester/user-7`. */
  key: string;
  /** 0 allows nothing. */
  limit: number;
  code: Code;
}

/** The first exhausted limit, if any. */
export function usedUp<Code extends FixedCode>(
  engine: Engine,
  limits: readonly DayLimit<Code>[],
): DayLimit<Code> | undefined {
  return limits.find(({ key, limit }) => lastDay(engine, key).length >= limit);
}

export function count(engine: Engine, limits: readonly DayLimit[]): void {
  const { store, clock } = engine;
  for (const { key } of limits) store.checkTimes.set(key, [...lastDay(engine, key), clock.now()]);
  store.touch();
}

function lastDay({ store, clock }: Engine, key: string): number[] {
  const since = clock.now() - DAY_MS;
  return (store.checkTimes.get(key) ?? []).filter((time) => time > since);
}
