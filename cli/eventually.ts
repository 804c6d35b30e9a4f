// Waits for the thing itself, and says what it saw when the time is up.
import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

export interface Expectation {
  /** For the message: `expected <what>`. */
  what: string;
  limitMs: number;
}

/** Looks until it is so. @throws Error with what was expected and what was seen last. */
export async function eventually<T>(
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
  { what, limitMs }: Expectation,
): Promise<T> {
  const untilMs = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (performance.now() > untilMs) {
      throw new Error(`expected ${what} within ${limitMs / 1000} s, met ${JSON.stringify(seen)}`);
    }
    await pause(pauseMs);
  }
}
