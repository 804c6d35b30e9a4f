// Says what a long step is doing, so that nobody takes minutes of work for a hang.
const EVERY_MS = 5_000;

export type OnProgress = (line: string) => void;

/** Standard error, so that standard output holds only what was asked for. */
export const printProgress: OnProgress = (line) => void process.stderr.write(`${line}\n`);

/** While `work` runs, says every five seconds what `describe` makes of it; it is given the time so far as `1:05`. */
export async function withProgress<T>(
  onProgress: OnProgress,
  describe: (elapsed: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAtMs = performance.now();
  const ticker = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    onProgress(describe(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`));
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(ticker);
  }
}
