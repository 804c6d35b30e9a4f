// States that became visible in the comparisons, each awaited by one life.
import type { StateReport } from './comparison-messages.js';

const LIMIT_MS = 120_000;

export type Reports = ReturnType<typeof createReports>;

export function createReports() {
  const waiting = new Map<string, (at: number) => void>();
  const keyOf = (uid: string, state: string): string => `${uid} ${state}`;
  const next = (uid: string, state: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`expected ${uid} to be ${state} within ${LIMIT_MS / 1000} s`));
      }, LIMIT_MS);
      waiting.set(keyOf(uid, state), (at) => {
        clearTimeout(late);
        resolve(at);
      });
    });
  return {
    report({ uid, state }: StateReport): void {
      const key = keyOf(uid, state);
      waiting.get(key)?.(performance.now());
      waiting.delete(key);
    },
    /** When the state is reported the next time, by `performance.now()`. Call it before the cause. */
    next,
    /** Milliseconds from the start of `cause` until the state is reported. */
    async msUntil([uid, state]: [uid: string, state: string], cause: () => void): Promise<number> {
      const reported = next(uid, state);
      const startedAt = performance.now();
      cause();
      return (await reported) - startedAt;
    },
  };
}
