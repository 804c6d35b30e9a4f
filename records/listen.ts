// Listens for changed rows on one connection of its own (LISTEN/NOTIFY), so that waiting requests need not ask. Not through a transaction pooler.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectionOf } from './pool.js';
import type { RecordsSettings } from './settings.schema.js';

/** The channel. Its payload is the id of the workflow whose row was replaced. */
export const CHANGED_ROWS = 'payto_rows';

/** One waiting request. */
export interface Watcher {
  /** Resolves when the row may have changed since the last call, after this time or five seconds, or when the signal aborts. Never rejects. */
  changed: (withinMs: number, signal: AbortSignal) => Promise<void>;
  stop: () => void;
}

export interface Changes {
  /** Watch before the first read, so that no change is missed. */
  watch: (workflowId: string) => Watcher;
}

export interface Listener extends Changes {
  isListening: () => boolean;
  close: () => Promise<void>;
}

interface ListenOptions {
  settings: RecordsSettings;
  /** The connection was lost, or could not be opened. Called for each attempt. */
  onAway: (error: unknown) => void;
}

const RECONNECT_MS = { first: 200, growth: 2, most: 5000 };
const CONNECT_MS = 3000;
/** A connection that was cut off without a word is detected by this question. */
const PROBE_EVERY_MS = 10_000;
/** Each waiter asks at least this often: this connection, or that of a worker, may be lost without a word. */
const ASK_EVERY_MS = 5000;

/** Keeps one connection open until it is closed. After each reconnect every waiter reads once, because it may have missed a change. */
export function listen({ settings, onAway }: ListenOptions): Listener {
  const waiting = createWaiting();
  const closing = new AbortController();
  let isListening = false;
  const run = async (): Promise<void> => {
    for (let pauseMs = RECONNECT_MS.first; !closing.signal.aborted;) {
      try {
        await stayConnected(settings, {
          closing: closing.signal,
          onChange: waiting.notify,
          onListening: () => {
            isListening = true;
            pauseMs = RECONNECT_MS.first;
            waiting.notifyAll();
          },
        });
      } catch (error) {
        onAway(error);
      }
      isListening = false;
      waiting.notifyAll();
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * RECONNECT_MS.growth, RECONNECT_MS.most);
    }
  };
  const ended = run();
  return {
    isListening: () => isListening,
    watch: waiting.watch,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

interface Connected {
  closing: AbortSignal;
  onChange: (workflowId: string) => void;
  onListening: () => void;
}

/** Returns when closing. @throws the error that ended the connection. */
async function stayConnected(
  settings: RecordsSettings,
  { closing, onChange, onListening }: Connected,
): Promise<void> {
  const client = new pg.Client({
    ...connectionOf(settings),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    keepAlive: true,
  });
  const lost = new Promise<never>((_, reject) => {
    client.once('error', reject);
    client.once('end', () => reject(new Error('the connection for LISTEN has ended')));
  });
  // Its error may arrive while nothing waits for it.
  lost.catch(() => undefined);
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '' }) => {
    onChange(payload);
  });
  try {
    await client.connect();
    await client.query(`listen ${CHANGED_ROWS}`);
    onListening();
    while (!closing.aborted) {
      const pause = delay(PROBE_EVERY_MS, undefined, { signal: closing }).catch(() => undefined);
      await Promise.race([lost, pause]);
      if (!closing.aborted) await client.query('select 1');
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

function createWaiting() {
  const waiters = new Map<string, Set<() => void>>();
  const notifyThese = (watchers: Iterable<() => void>): void => {
    for (const notify of [...watchers]) notify();
  };
  return {
    notify: (workflowId: string) => {
      notifyThese(waiters.get(workflowId) ?? []);
    },
    notifyAll: () => {
      for (const watchers of waiters.values()) notifyThese(watchers);
    },
    watch: (workflowId: string): Watcher => {
      let hasChanged = false;
      let endPause: () => void = () => undefined;
      const notify = (): void => {
        hasChanged = true;
        endPause();
      };
      const watchers = waiters.get(workflowId) ?? new Set();
      waiters.set(workflowId, watchers.add(notify));
      return {
        changed: async (withinMs, signal) => {
          if (!hasChanged)
            await pausedUntil(Math.min(withinMs, ASK_EVERY_MS), signal, (early) => {
              endPause = early;
            });
          hasChanged = false;
        },
        stop: () => {
          watchers.delete(notify);
          if (watchers.size === 0) waiters.delete(workflowId);
        },
      };
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
