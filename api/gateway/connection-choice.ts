// Chooses the connection of a new resource: the named one, or the only one that exists.
import { LRUCache } from 'lru-cache';
import { IS_OPEN } from '../../delivery/open.js';
import {
  CONNECTION_WORKFLOW,
  connectionIdOf,
  connectionWorkflowId,
} from '../../workflows/connection/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { noneIfAway } from './records.js';
import type { Calls, Described } from './temporal/calls.js';

const REMEMBERED_MS = 30_000;
/** A worker stores a row much sooner, even after an outage of the records. */
const RECENT_MS = 5 * 60_000;

export interface ConnectionChoice {
  /** @throws ApiError `connection_unknown`, or `connection_required` if none is named and not exactly one exists. */
  choose: (id: string | undefined) => Promise<string>;
  /** Whether the connection exists and has not ended. */
  exists: (id: string) => Promise<boolean>;
  /** Returns the id if the connection exists or has ended: workers keep its token for a while. @throws ApiError `connection_unknown` */
  chooseStarted: (id: string) => Promise<string>;
  /** Whether the connection exists and its merchant's consent is in force. */
  hasConsent: (id: string) => Promise<boolean>;
  /** Notes a connection that was just begun. Its row may not be stored yet. */
  started: (id: string) => void;
}

/** Caches connections that exist for 30 seconds. A missing connection is never cached. */
export function createConnectionChoice(calls: Calls): ConnectionChoice {
  const only: Only = { id: undefined, untilMs: 0 };
  const recent = new LRUCache<string, true>({ max: 1000, ttl: RECENT_MS });
  const exists = remembering(calls, () => true);
  const hasConsent = remembering(calls, (run) => run.hasConsent);
  return {
    exists,
    hasConsent,
    chooseStarted: async (id) => {
      if (!(await exists(id)) && !(await wasStarted(calls, id))) throw unknown();
      return id;
    },
    started: (id) => {
      only.id = undefined;
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

/** Temporal knows an ended run for days, and the records know the connection after that. */
async function wasStarted({ describe, recorded }: Calls, id: string): Promise<boolean> {
  if ((await describe(connectionWorkflowId(id))) !== undefined) return true;
  const row = await recorded.ask((reader) => reader.row('connection', id)).catch(noneIfAway);
  return row !== undefined;
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

/** The only connection, as last found. It counts for a while. */
interface Only {
  id: string | undefined;
  untilMs: number;
}

/** A row outlives a connection that an operator has terminated, so each is checked. */
async function theOnly(
  calls: Calls,
  { only, recent }: { only: Only; recent: LRUCache<string, true> },
  exists: ConnectionChoice['exists'],
): Promise<string> {
  if (only.id !== undefined && Date.now() < only.untilMs) return only.id;
  const stored = await calls.recorded.ask(({ connectionIds }) => connectionIds(MOST_READ)).catch(noneIfAway);
  const found = stored ?? (await withoutRecords(calls, only, exists));
  const open: string[] = [];
  for (const id of new Set([...recent.keys(), ...found])) {
    if (await exists(id)) open.push(id);
    if (open.length === 2) break;
  }
  only.id = undefined;
  const [first, second] = open;
  if (first === undefined || second !== undefined)
    throw required(
      first === undefined ? 'none exists. Create one with POST /v1/connections' : 'several exist. Name one',
    );
  Object.assign(only, { id: first, untilMs: Date.now() + REMEMBERED_MS });
  return first;
}

/** While the records are away, the last one found is enough. Temporal lists them if there is none. */
async function withoutRecords(
  calls: Calls,
  { id }: Only,
  exists: ConnectionChoice['exists'],
): Promise<string[]> {
  return id !== undefined && (await exists(id)) ? [id] : runningConnections(calls);
}

/** As Temporal's visibility lists them, which may miss the newest. @throws ApiError `temporal_unavailable` */
const runningConnections = ({ short, client }: Calls): Promise<string[]> =>
  short(async () => {
    const ids: string[] = [];
    const query = `WorkflowType = '${CONNECTION_WORKFLOW}' AND ${IS_OPEN}`;
    for await (const { workflowId } of client.workflow.list({ query, pageSize: MOST_READ }))
      if (ids.push(connectionIdOf(workflowId)) === MOST_READ) break;
    return ids;
  });

const required = (met: string): ApiError =>
  new ApiError('connection_required', `The request names no connection, and ${met}.`, {
    errors: [{ pointer: '/connection', detail: 'expected the id of a connection' }],
  });
