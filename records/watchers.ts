// Wakes waiting requests whose row was replaced. One statement for all of them shows which, so that none needs to ask alone.

/** One waiting request. */
export interface Watcher {
  /**
   * Resolves when the row may have changed since the last call, after this time, or when the signal aborts. Never rejects. The first call also
   * resolves as soon as later changes are seen, because the row may have changed before.
   */
  changed: (withinMs: number, signal: AbortSignal) => Promise<void>;
  stop: () => void;
}

export interface Changes {
  watch: (workflowId: string) => Watcher;
  /** For readers of the feed: any row may have changed. */
  watchAll: () => Watcher;
}

interface Watchers extends Changes {
  /** A row was replaced. */
  notify: (workflowId: string) => void;
  /** Reads all versions now, because a notification may be lost. */
  check: () => void;
  close: () => void;
}

interface WatchersOptions {
  /** The versions of the rows of these workflows. */
  versionsOf: (workflowIds: Iterable<string>) => Promise<ReadonlyMap<string, number>>;
  /** The versions could not be read. */
  onAway: (error: unknown) => void;
  /** Whether rows may be older than their workflows. */
  isStale: () => boolean;
}

const TURN_MS = 1000;
/** The versions are read this often. */
const CHECK_TURNS = 5;
/** While the records are away or behind, each read is a query to a workflow: this many in a turn for the whole process, and each waiter this often. */
const AWAY = { readsOfTurn: 20, againAfterTurns: 5 };

export function createWatchers(options: WatchersOptions): Watchers {
  const waiters = createWaiters();
  const comparison = createComparison(waiters, options);
  const ofAll = new Set<() => void>();
  const notifyAll = (): void => ofAll.forEach((notify) => notify());
  let timer: NodeJS.Timeout | undefined;

  function takeTurn(): void {
    const isBehind = comparison.isAway() || options.isStale();
    const turn = waiters.takeTurn((waiter) => isBehind || waiter.isUnread);
    if (turn % CHECK_TURNS === 0) comparison.check();
  }

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
    comparison.rest();
  }

  return {
    watch: (workflowId) => {
      const { changed, notify } = createPause();
      const waiter = waiters.add(workflowId, notify);
      timer ??= setInterval(takeTurn, TURN_MS);
      comparison.begin();
      return {
        changed,
        stop: () => {
          waiters.remove(waiter);
          if (waiters.all.size === 0) rest();
        },
      };
    },
    watchAll: () => {
      const { changed, notify } = createPause();
      ofAll.add(notify);
      return { changed, stop: () => void ofAll.delete(notify) };
    },
    notify: (workflowId) => {
      for (const waiter of waiters.of(workflowId)) waiters.resume(waiter);
      notifyAll();
    },
    check: () => {
      comparison.check();
      notifyAll();
    },
    close: rest,
  };
}

interface Waiter {
  workflowId: string;
  /** 0: there is no row. Undefined: not read yet. */
  version: number | undefined;
  /** It began while the records were away, so the row may have changed since its first read. */
  isUnread: boolean;
  /** The turn of its latest read. */
  readAt: number;
  notify: () => void;
}

type Waiters = ReturnType<typeof createWaiters>;

function createWaiters() {
  /** The one with the oldest read comes first. */
  const all = new Set<Waiter>();
  const ofWorkflow = new Map<string, Set<Waiter>>();
  let turn = 0;
  const resume = (waiter: Waiter): void => {
    Object.assign(waiter, { readAt: turn, isUnread: false });
    all.delete(waiter);
    all.add(waiter);
    waiter.notify();
  };
  return {
    all: all as ReadonlySet<Waiter>,
    of: (workflowId: string): Iterable<Waiter> => ofWorkflow.get(workflowId) ?? [],
    resume,
    add: (workflowId: string, notify: () => void): Waiter => {
      const waiter = { workflowId, version: undefined, isUnread: false, readAt: turn, notify };
      all.add(waiter);
      const sameRow = ofWorkflow.get(workflowId) ?? new Set();
      ofWorkflow.set(workflowId, sameRow.add(waiter));
      return waiter;
    },
    remove: (waiter: Waiter) => {
      all.delete(waiter);
      const sameRow = ofWorkflow.get(waiter.workflowId);
      sameRow?.delete(waiter);
      if (sameRow?.size === 0) ofWorkflow.delete(waiter.workflowId);
    },
    /** Resumes the longest-waiting ones that need it, as many as one turn allows. Returns the number of the turn. */
    takeTurn: (isNeeded: (waiter: Waiter) => boolean): number => {
      turn += 1;
      let left = AWAY.readsOfTurn;
      for (const waiter of all) {
        if (left === 0 || turn - waiter.readAt < AWAY.againAfterTurns) break;
        if (!isNeeded(waiter)) continue;
        left -= 1;
        resume(waiter);
      }
      return turn;
    },
  };
}

/** Reads the versions, one statement at a time, and resumes the waiters whose row has another version than before. */
function createComparison({ all, resume }: Waiters, { versionsOf, onAway }: WatchersOptions) {
  let isDue = false;
  let isReading = false;
  let isAway = false;

  function takeNext(): Waiter[] {
    if (!isDue && isAway) return [];
    const next = isDue ? [...all] : [...all].filter(({ version }) => version === undefined);
    isDue = false;
    return next;
  }

  function judge(waiter: Waiter, version: number): void {
    const { version: before } = waiter;
    if (version === before || !all.has(waiter)) return;
    waiter.version = version;
    if (before === undefined && isAway) waiter.isUnread = true;
    else resume(waiter);
  }

  async function compare(waiters: readonly Waiter[]): Promise<void> {
    try {
      const versions = await versionsOf(waiters.map(({ workflowId }) => workflowId));
      for (const waiter of waiters) judge(waiter, versions.get(waiter.workflowId) ?? 0);
      isAway = false;
    } catch (error) {
      isAway = all.size > 0;
      onAway(error);
    }
  }

  async function compareAll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let next = takeNext(); next.length > 0; next = takeNext()) await compare(next);
    isReading = false;
  }

  return {
    isAway: () => isAway,
    /** Reads the versions of new waiters. While the records are away, they wait for the next check. */
    begin: () => void compareAll(),
    check: () => {
      isDue = true;
      void compareAll();
    },
    /** There are no waiters, so no statement will show whether the records are away. */
    rest: () => {
      isAway = false;
    },
  };
}

/** A pause that ends early when it is notified, also if that was before the pause. */
export function createPause(): Pick<Watcher, 'changed'> & { notify: () => void } {
  let hasChanged = false;
  let endPause: () => void = () => undefined;
  return {
    notify: () => {
      hasChanged = true;
      endPause();
    },
    changed: async (withinMs, signal) => {
      if (!hasChanged)
        await pausedUntil(withinMs, signal, (early) => {
          endPause = early;
        });
      hasChanged = false;
    },
  };
}

/** Resolves after the time, on abort, or when the function given to `onPause` is called. */
const pausedUntil = (ms: number, signal: AbortSignal, onPause: (end: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    onPause(end);
  });
