// Says what a long step is doing, so that a person does not take minutes of work for a hang.
const EVERY_MS = 5_000;

export type OnProgress = (line: string) => void;

/** Standard error, so that standard output holds only what was asked for. */
export const printProgress: OnProgress = (line) => void process.stderr.write(`${line}\n`);

/** While `work` runs, says every five seconds what `describe` makes of it, which is given the time so far as `1:05`. */
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
