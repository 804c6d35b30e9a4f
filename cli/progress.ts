// Says what a step is at when it takes longer than a person waits without wondering.
const FIRST_MS = 2_000;
const EVERY_MS = 5_000;

export type Say = (line: string) => void;

/** Silent for two seconds; then says `what` with the time so far, and again every five. */
export async function announced<T>(say: Say, what: string, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const tell = (): void => say(`${what} (${Math.round((performance.now() - startedAtMs) / 1000)} s)`);
  let every: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    tell();
    every = setInterval(tell, EVERY_MS);
  }, FIRST_MS);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(every);
  }
}
