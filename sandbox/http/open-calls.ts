// Tracks the API calls in progress, so that no webhook overtakes the answer to its call.

export type OpenCalls = ReturnType<typeof createOpenCalls>;

export function createOpenCalls() {
  const open = new Set<Promise<void>>();
  return {
    /** Registers a call. The returned function marks its connection as finished. */
    begin(): () => void {
      let finish = (): void => undefined;
      const call = new Promise<void>((resolve) => (finish = resolve));
      open.add(call);
      return () => {
        open.delete(call);
        finish();
      };
    },
    /** Resolves when all calls that are open now have been answered. */
    async answered(): Promise<void> {
      await Promise.all(open);
    },
  };
}
