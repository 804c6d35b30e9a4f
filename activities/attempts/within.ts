// A bound on how long something is waited for; what was begun may still go on.

/** @throws the failure, where the work has not ended by then. */
export async function within<T>(work: Promise<T>, limitMs: number, failure: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(failure());
    }, limitMs);
  });
  return Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}
