// Tracks the API calls in progress, so that no webhook overtakes the answer to its call.

export interface OpenCalls {
  /** Registers a call. The returned function marks its connection as finished. */
  begin(): () => void;
  /** Resolves when all calls that are open now have been answered. */
  answered(): Promise<void>;
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<Promise<void>>();
  return {
    begin() {
      const { promise, resolve } = withResolvers();
      open.add(promise);
      return () => {
        open.delete(promise);
        resolve();
      };
    },
    async answered() {
      await Promise.all(open);
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
