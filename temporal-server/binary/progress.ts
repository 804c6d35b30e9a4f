// Reports the progress of a long step, so that it does not look like a hang.
const EVERY_MS = 5_000;

export type OnProgress = (line: string) => void;

/** Standard error, so that standard output contains only the result. */
export const printProgress: OnProgress = (line) => void process.stderr.write(`${line}\n`);

/** While `work` runs, prints the result of `describe` every five seconds. It receives the elapsed time as `1:05`. */
export async function withProgress<T>(
  onProgress: OnProgress,
  describe: (elapsed: string) => string,
  work: () => Promise<T>,
  firstMs = EVERY_MS,
): Promise<T> {
  const startedAtMs = performance.now();
  const print = (): void => {
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    onProgress(describe(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`));
    timer = setTimeout(print, EVERY_MS);
  };
  let timer = setTimeout(print, firstMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
