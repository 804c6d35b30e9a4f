// Waits for the thing itself, not for a time; and says what is waited for when it takes long.
import { setTimeout as pause } from 'node:timers/promises';
import { withProgress, type OnProgress } from '../../temporal-server/binary/progress.js';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** How long a person waits without wondering. */
const SILENT_MS = 2_000;

export interface Expectation {
  /** For the message: `expected <what>`. */
  what: string;
  limitMs: number;
}

/** Reads until it is so. @throws Error with what was expected and what was met last. */
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
      throw new Error(`expected ${what} within ${limitMs / 1000} s, met ${JSON.stringify(met)}`);
    }
    await pause(pauseMs);
  }
}

/** Silent for two seconds; then prints `what` with the time so far, and again every five. */
export const announced = <T>(print: OnProgress, what: string, work: () => Promise<T>): Promise<T> =>
  withProgress(print, (elapsed) => `${what} (${elapsed})`, work, SILENT_MS);
