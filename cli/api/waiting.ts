// Waits for a condition, not for a time, and shows the condition if that takes long.
import { setTimeout as pause } from 'node:timers/promises';
import { withProgress, type OnProgress } from '../../temporal-server/binary/progress.js';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** Longer waits need an explanation. */
const SILENT_MS = 2_000;

export interface Expectation {
  /** For the message: `expected <what>`. */
  what: string;
  limitMs: number;
}

/** Reads until the condition holds. @throws Error with the expectation and the last reading. */
export async function eventually<T>(
  read: () => Promise<T>,
  isSo: (met: T) => boolean,
  { what, limitMs }: Expectation,
): Promise<T> {
  const untilMs = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const met = await read();
    if (isSo(met)) return met;
    if (performance.now() > untilMs) {
      throw new Error(`expected ${what} within ${limitMs / 1000} s, last received ${JSON.stringify(met)}`);
    }
    await pause(pauseMs);
  }
}

/** After two silent seconds prints `what` with the elapsed time, and again every five seconds. */
export const announced = <T>(print: OnProgress, what: string, work: () => Promise<T>): Promise<T> =>
  withProgress(print, (elapsed) => `${what} (${elapsed})`, work, SILENT_MS);
