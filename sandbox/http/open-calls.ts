// The API calls that have not been answered yet, so that no webhook overtakes the answer to the call behind it.

export interface OpenCalls {
  /** A call begins; what it returns says that its connection is done with. */
  begin(): () => void;
  /** Resolves once all calls that are open now have been answered. */
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
