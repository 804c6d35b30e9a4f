export interface Agenda {
  nowMs: () => number;
  after: (delayMs: number, run: () => void) => void;
  pass: (ms: number) => Promise<void>;
  settleBy: (settle: () => Promise<void>) => void;
  settle: () => Promise<void>;
}

interface Entry {
  atMs: number;
  order: number;
  run: () => void;
}

export function createAgenda(startMs: number): Agenda {
  let nowMs = startMs;
  let count = 0;
  const entries: Entry[] = [];
  let settle = (): Promise<void> => Promise.resolve();

  const takeNext = (untilMs: number): Entry | undefined => {
    const next = entries.reduce<Entry | undefined>(earlier, undefined);
    if (next === undefined || next.atMs > untilMs) return undefined;
    entries.splice(entries.indexOf(next), 1);
    return next;
  };
  return {
    nowMs: () => nowMs,
    after: (delayMs, run) => {
      count += 1;
      entries.push({ atMs: nowMs + Math.max(delayMs, 0), order: count, run });
    },
    pass: async (ms) => {
      await settle();
      const untilMs = nowMs + ms;
      for (let entry = takeNext(untilMs); entry !== undefined; entry = takeNext(untilMs)) {
        nowMs = entry.atMs;
        entry.run();
        await settle();
      }
      nowMs = untilMs;
    },
    settleBy: (by) => void (settle = by),
    settle: () => settle(),
  };
}

const earlier = (best: Entry | undefined, entry: Entry): Entry =>
  best === undefined || entry.atMs < best.atMs || (entry.atMs === best.atMs && entry.order < best.order)
    ? entry
    : best;
