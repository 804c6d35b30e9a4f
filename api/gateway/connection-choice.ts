// Chooses the connection of a new resource: the named one, or the only one that exists.
import { LRUCache } from 'lru-cache';
import { connectionWorkflowId } from '../../workflows/connection/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { Calls, Described } from './temporal/calls.js';

const REMEMBERED_MS = 30_000;
/** A worker stores a row much sooner, even after an outage of the records. */
const RECENT_MS = 5 * 60_000;

export interface ConnectionChoice {
  /** @throws ApiError `connection_unknown`, or `connection_required` if none is named and not exactly one exists. */
  choose: (id: string | undefined) => Promise<string>;
  /** Whether the connection exists and has not ended. */
  exists: (id: string) => Promise<boolean>;
  /** Whether the connection exists and its merchant's consent is in force. */
  hasConsent: (id: string) => Promise<boolean>;
  /** Notes a connection that was just begun. Its row may not be stored yet. */
  started: (id: string) => void;
}

/** Caches connections that exist for 30 seconds. A missing connection is never cached. */
export function createConnectionChoice(calls: Calls): ConnectionChoice {
  const only = new LRUCache<'only', string>({ max: 1, ttl: REMEMBERED_MS });
  const recent = new LRUCache<string, true>({ max: 1000, ttl: RECENT_MS });
  const exists = remembering(calls, () => true);
  const hasConsent = remembering(calls, (run) => run.hasConsent);
  return {
    exists,
    hasConsent,
    started: (id) => {
      only.clear();
      recent.set(id, true);
    },
    choose: async (id) => {
      if (id === undefined) return theOnly(calls, { only, recent }, exists);
      if (!(await exists(id))) throw unknown();
      return id;
    },
  };
}

/** Whether the connection is open, and the condition is true. Caches only true answers. */
function remembering(calls: Calls, isTrue: (run: Described) => boolean): (id: string) => Promise<boolean> {
  const cache = new LRUCache<string, true>({ max: 1000, ttl: REMEMBERED_MS });
  return async (id) => {
    if (cache.has(id)) return true;
    const run = await calls.describe(connectionWorkflowId(id));
    if (run?.isOpen !== true || !isTrue(run)) return false;
    cache.set(id, true);
    return true;
  };
}

const unknown = (): ApiError =>
  new ApiError('connection_unknown', 'This connection does not exist or has ended.', {
    errors: [
      {
        pointer: '/connection',
        detail: 'expected the id of a connection; create one with POST /v1/connections',
      },
    ],
  });

/** Of the newest connections. Older ones have ended long ago, or there are several anyway. */
const MOST_READ = 200;

/** A row outlives a connection that an operator has terminated, so each is checked. @throws ApiError `records_unavailable` */
async function theOnly(
  { recorded }: Calls,
  { only: remembered, recent }: { only: LRUCache<'only', string>; recent: LRUCache<string, true> },
  exists: ConnectionChoice['exists'],
): Promise<string> {
  const before = remembered.get('only');
  if (before !== undefined) return before;
  const open: string[] = [];
  const stored = await recorded.ask(({ connectionIds }) => connectionIds(MOST_READ));
  for (const id of new Set([...recent.keys(), ...stored])) {
    if (await exists(id)) open.push(id);
    if (open.length === 2) break;
  }
  const [first, second] = open;
  if (first === undefined || second !== undefined)
    throw required(
      first === undefined ? 'none exists. Create one with POST /v1/connections' : 'several exist. Name one',
    );
  remembered.set('only', first);
  return first;
}

const required = (met: string): ApiError =>
  new ApiError('connection_required', `The request names no connection, and ${met}.`, {
    errors: [{ pointer: '/connection', detail: 'expected the id of a connection' }],
  });
