// Listens for changed rows on one connection of its own (LISTEN/NOTIFY), so that waiting requests need not ask. Not through a transaction pooler.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { RecordsDatabase } from './database.js';
import { connectionOf } from './pool.js';
import { createWatchers, type Changes } from './watchers.js';
import { readVersions } from './versions.js';
import type { Progress } from './progress.js';
import type { RecordsSettings } from './settings.schema.js';

/** The channel. Its payload is the id of the workflow whose row was replaced. */
export const CHANGED_ROWS = 'payto_rows';

export interface Listener extends Changes {
  isListening: () => boolean;
  close: () => Promise<void>;
}

interface ListenOptions {
  settings: RecordsSettings;
  /** Reads the versions of watched rows, because the connection for LISTEN has no time for statements. */
  db: RecordsDatabase['db'];
  /** The connection was lost or could not be opened, or the versions could not be read. Called for each attempt. */
  onAway: (error: unknown) => void;
  progress: Progress;
}

const RECONNECT_MS = { first: 200, growth: 2, most: 5000 };
const CONNECT_MS = 3000;
/** A connection that was cut off without a word is detected by this question. */
const PROBE_EVERY_MS = 10_000;

/** Keeps one connection open until it is closed. After each loss and reconnect the versions are read, because a notification may be lost. */
export function listen({ settings, db, onAway, progress: { isStale } }: ListenOptions): Listener {
  const watchers = createWatchers({ versionsOf: (ids) => readVersions(db, ids), onAway, isStale });
  const closing = new AbortController();
  let isListening = false;
  const run = async (): Promise<void> => {
    for (let pauseMs = RECONNECT_MS.first; !closing.signal.aborted;) {
      try {
        await stayConnected(settings, {
          closing: closing.signal,
          onChange: watchers.notify,
          onListening: () => {
            isListening = true;
            pauseMs = RECONNECT_MS.first;
            watchers.check();
          },
        });
      } catch (error) {
        onAway(error);
      }
      if (isListening) watchers.check();
      isListening = false;
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * RECONNECT_MS.growth, RECONNECT_MS.most);
    }
  };
  const ended = run();
  return {
    isListening: () => isListening,
    watch: watchers.watch,
    watchAll: watchers.watchAll,
    close: async () => {
      closing.abort();
      watchers.close();
      await ended;
    },
  };
}

/** Then nothing is notified here. */
async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: string }>(
    "select current_setting('transaction_read_only') as is",
  );
  return rows[0]?.is === 'on';
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
      if (!closing.aborted && (await isReadOnly(client))) throw new Error('the server became read-only');
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
