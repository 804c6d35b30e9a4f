// Runs work sequentially within a lane, and up to a limit of lanes in parallel.

export function createLanes(limit: number) {
  const lanes = new Map<string, Promise<void>>();
  const waiting: (() => void)[] = [];
  let free = limit;

  async function whenFree(work: () => Promise<void>): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  }
  return {
    run(lane: string, work: () => Promise<void>): void {
      const before = lanes.get(lane) ?? Promise.resolve();
      const mine = before
        .then(() => whenFree(work))
        .catch((error: unknown) => {
          console.error('sandbox webhook delivery failed:', error);
        })
        .finally(() => {
          if (lanes.get(lane) === mine) lanes.delete(lane);
        });
      lanes.set(lane, mine);
    },
    /** Resolves when no work is running or waiting. */
    async idle(): Promise<void> {
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
  };
}
