// Limits how long a caller waits for work. The work itself may continue.

/** @throws the given failure if the work has not ended within the limit. */
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
