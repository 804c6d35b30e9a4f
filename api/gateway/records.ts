// The gateway to the records (PostgreSQL): single resources, lists and look-ups by a column. What it reads was decided by workflows.
import { LRUCache } from 'lru-cache';
import { describeError } from '../../records/errors.js';
import { workflowIdOf } from '../../domain/resources.js';
import type { ResourceName } from '../../domain/resources.js';
import { SealError } from '../../sealing/keyring.js';
import type { ChangePlace, ChangesRequest } from '../../records/changed-rows.js';
import type { RecordReader } from '../../records/read.js';
import type { RowPlace, RowsRequest } from '../../records/lists.js';
import { NO_PROGRESS } from '../../records/progress.js';
import { PROBLEMS } from '../http/problems/codes.js';
import { ApiError } from '../http/problems/errors.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Progress } from '../../records/progress.js';

export interface ListPage<View> {
  items: View[];
  /** Undefined on the last page. */
  next: RowPlace | undefined;
}

export interface ChangedPage<View> {
  items: View[];
  /** Always: more may change later. */
  next: ChangePlace;
}

export interface Recordable {
  resource: ResourceName;
  uid: string;
}

export interface Recorded {
  /**
   * The view of a resource: from its row, or from its workflow if there is no row yet, the records are away or cannot be written, or the row may be
   * older than an update that this process has sent.
   */
  view: <View>(of: Recordable, fromWorkflow: () => Promise<View | undefined>) => Promise<View | undefined>;
  /** @throws ApiError `records_unavailable` */
  list: <View>(resource: ResourceName, request: RowsRequest) => Promise<ListPage<View>>;
  /** @throws ApiError `records_unavailable` */
  changed: <View>(resource: ResourceName, request: ChangesRequest) => Promise<ChangedPage<View>>;
  /** Asks the records for anything else. @throws ApiError `records_unavailable` */
  ask: <Answer>(question: (reader: RecordReader) => Promise<Answer>) => Promise<Answer>;
  /** Notes that an update is sent, so that later reads show its effects. */
  updated: (workflowId: string) => void;
  /** Until when workers could store. Undefined while it is not known. */
  recordedUntil: () => Instant | undefined;
}

/** After a failure, workers may store with a delay: they try again after half a minute, and then with backoff. */
const BEHIND_MS = 2 * 60_000;
/** How long an update is remembered. A row is normally stored before its update is answered. */
const UPDATED_MS = 5 * 60_000;
const MOST_UPDATED = 50_000;

/** After a workflow did not answer, rows count again for so long: without workers nothing changes. */
const WORKERS_AWAY_MS = 30_000;

/** @param nowMs epoch milliseconds. */
export function createRecorded(
  reader: RecordReader,
  { nowMs = Date.now, progress = NO_PROGRESS }: { nowMs?: () => number; progress?: Progress } = {},
): Recorded {
  let failedAtMs = -Infinity;
  let workersAwayUntilMs = -Infinity;
  const leastVersions = new LRUCache<string, number>({ max: MOST_UPDATED, ttl: UPDATED_MS });
  const ask: Recorded['ask'] = async (question) => {
    try {
      return await question(reader);
    } catch (error) {
      if (error instanceof SealError) throw error;
      failedAtMs = nowMs();
      throw unavailable(error);
    }
  };
  const rowOf = ({ resource, uid }: Recordable) => ask(({ row }) => row(resource, uid)).catch(noneIfAway);
  return {
    ask,
    // Versions are microseconds of the workflow's clock (workflows/engine/recording.ts).
    updated: (workflowId) => leastVersions.set(workflowId, nowMs() * 1000),
    view: async <View>(of: Recordable, fromWorkflow: () => Promise<View | undefined>) => {
      const isBehind = nowMs() < failedAtMs + BEHIND_MS;
      const row = isBehind ? undefined : await rowOf(of);
      const leastVersion = leastVersions.get(workflowIdOf(of.resource, of.uid)) ?? 0;
      const isStale = progress.isStale() && nowMs() >= workersAwayUntilMs;
      if (row !== undefined && row.version >= leastVersion) {
        if (!isStale) return row.view as View;
        const newer = await fromWorkflow().catch((error: unknown) => {
          workersAwayUntilMs = nowMs() + WORKERS_AWAY_MS;
          return noneIfUnavailable(error);
        });
        return newer ?? (row.view as View);
      }
      const view = await fromWorkflow();
      if (view !== undefined || !isBehind) return view ?? (row?.view as View | undefined);
      return (await rowOf(of))?.view as View | undefined;
    },
    recordedUntil: progress.recordedUntil,
    list: async <View>(resource: ResourceName, request: RowsRequest) => {
      const { views, next } = await ask(({ list }) => list(resource, request));
      return { items: views as View[], next };
    },
    changed: async <View>(resource: ResourceName, request: ChangesRequest) => {
      const { views, next } = await ask(({ changed }) => changed(resource, request));
      return { items: views as View[], next };
    },
  };
}

function noneIfUnavailable(error: unknown): undefined {
  if (!(error instanceof ApiError) || PROBLEMS[error.code].status !== 503) throw error;
}

/** Turns `records_unavailable` into undefined. */
export function noneIfAway(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'records_unavailable') throw error;
}

const unavailable = (error: unknown): ApiError =>
  new ApiError(
    'records_unavailable',
    `The records database did not answer: ${describeError(error)}. Single resources and payments still work. Repeat the request later.`,
    { cause: error },
  );
