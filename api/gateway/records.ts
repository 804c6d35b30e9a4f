// The gateway to the records (PostgreSQL): single resources, lists and look-ups by a column. What it reads was decided by workflows.
import { LRUCache } from 'lru-cache';
import { describeError } from '../../records/errors.js';
import { workflowIdOf, type ResourceName } from '../../domain/resources.js';
import { goneInWords, type RememberedEnd, type RememberedRow } from '../../domain/records/remembered.js';
import { SealError } from '../../sealing/keyring.js';
import type { ChangePlace, ChangesRequest } from '../../records/changed-rows.js';
import type { RecordReader } from '../../records/read.js';
import type { RowPlace, RowsRequest } from '../../records/lists.js';
import { NO_PROGRESS, type Progress } from '../../records/progress.js';
import { ApiError } from '../http/problems/errors.js';
import type { Instant } from '../../domain/facts/fact.js';

export interface ListPage<View> {
  items: View[];
  /** Undefined on the last page. */
  next: RowPlace | undefined;
}

export interface ChangedPage<View> {
  items: View[];
  /** Always: more may change later. */
  next: ChangePlace;
  /** Whether there are no more for now. */
  isNewest: boolean;
}

export interface Recordable {
  resource: ResourceName;
  uid: string;
}

export interface Recorded {
  /**
   * The view of a resource: from its row, or from its workflow if there is no row yet, the records are away or cannot be written, or the row may be
   * older than an update that this process has sent.
   * @throws ApiError `gone` if its record has expired, `records_unavailable` if only the records can tell whether it exists.
   */
  view: <View>(of: Recordable, fromWorkflow: () => Promise<View | undefined>) => Promise<View | undefined>;
  /** @throws ApiError `records_unavailable` */
  list: <View>(resource: ResourceName, request: RowsRequest) => Promise<ListPage<View>>;
  /** @throws ApiError `records_unavailable` */
  changed: <View>(resource: ResourceName, request: ChangesRequest) => Promise<ChangedPage<View>>;
  /**
   * What the records have under the uid of a thing that a request would start. While they are away or incomplete, the start is unchecked.
   * @throws ApiError `gone`
   */
  before: (of: Recordable) => Promise<{ row: RememberedRow | undefined; isUnchecked?: true | undefined }>;
  /** For a command. While the records are away, it passes. @throws ApiError `gone` if the record of this uid has expired or was erased. */
  assertNotGone: (of: Recordable) => Promise<void>;
  /** Asks the records for anything else. @throws ApiError `records_unavailable` */
  ask: <Answer>(question: (reader: RecordReader) => Promise<Answer>) => Promise<Answer>;
  /** Notes that an update is sent, so that later reads show its effects. */
  updated: (workflowId: string) => void;
  /** Until when workers could store. Undefined while it is not known. */
  recordedUntil: () => Instant | undefined;
}

/** After a failure, workers store with a delay: few of the batches that wait at a time. */
const BEHIND_MS = 2 * 60_000;
/** How long an update is remembered. A row is normally stored before its update is answered. */
const UPDATED_MS = 5 * 60_000;
const MOST_UPDATED = 50_000;

/** After so many workflows in a row without an answer, rows count again for so long: without workers nothing changes. */
const WORKERS_AWAY = { failures: 3, forMs: 30_000 };

/** @param nowMs epoch milliseconds. */
export function createRecorded(
  reader: RecordReader,
  { nowMs = Date.now, progress = NO_PROGRESS }: { nowMs?: () => number; progress?: Progress } = {},
): Recorded {
  let failedAtMs = -Infinity;
  const workers = watchWorkers(nowMs);
  const isBehind = (): boolean => nowMs() < failedAtMs + BEHIND_MS;
  const leastVersions = new LRUCache<string, number>({ max: MOST_UPDATED, ttl: UPDATED_MS });
  const ask = askOf(reader);
  // Only a single row tells whether the records are away: another statement may just be slow.
  const rowOf = ({ resource, uid }: Recordable) =>
    ask(({ row }) => row(resource, uid)).catch((error: unknown) => {
      noneIfAway(error);
      failedAtMs = nowMs();
      return 'away' as const;
    });
  const remembered = rememberedBy(ask);
  const before = beforeBy(remembered);
  return {
    ask,
    // Versions are microseconds of the workflow's clock (workflows/engine/recording.ts).
    updated: (workflowId) => leastVersions.set(workflowId, nowMs() * 1000),
    view: async <View>(of: Recordable, fromWorkflow: () => Promise<View | undefined>) => {
      const read = isBehind() ? 'away' : await rowOf(of);
      const row = read === 'away' ? undefined : read;
      const leastVersion = leastVersions.get(workflowIdOf(of.resource, of.uid)) ?? 0;
      if (row !== undefined && row.version >= leastVersion) {
        const isStale = progress.isStale() && !workers.areAway();
        return (isStale ? await workers.answer(fromWorkflow) : undefined) ?? (row.view as View);
      }
      if (read === undefined) await remembered(of);
      const view = await fromWorkflow();
      // Temporal has no run, or has forgotten it.
      return view ?? ((row ?? (await remembered(of)))?.view as View | undefined);
    },
    before,
    assertNotGone: (of) => before(of).then(() => undefined),
    recordedUntil: progress.recordedUntil,
    list: async <View>(resource: ResourceName, request: RowsRequest) => {
      const { views, next } = await ask(({ list }) => list(resource, request));
      return { items: views as View[], next };
    },
    changed: async <View>(resource: ResourceName, request: ChangesRequest) => {
      const { views, ...rest } = await ask(({ changed }) => changed(resource, request));
      return { items: views as View[], ...rest };
    },
  };
}

const askOf =
  (reader: RecordReader): Recorded['ask'] =>
  async (question) => {
    try {
      return await question(reader);
    } catch (error) {
      throw error instanceof SealError ? error : unavailable(error);
    }
  };

/** Asks also while rows may be late: what only the records can tell must not stay unchecked for longer than they are away. */
const beforeBy =
  (remembered: ReturnType<typeof rememberedBy>): Recorded['before'] =>
  (of) =>
    remembered(of).then(
      (row) => ({ row }),
      (error: unknown) => {
        noneIfAway(error);
        return { row: undefined, isUnchecked: true };
      },
    );

/** @throws ApiError `gone` or `records_unavailable` */
const rememberedBy =
  (ask: Recorded['ask']) =>
  async ({ resource, uid }: Recordable): Promise<RememberedRow | undefined> => {
    const found = await ask((records) => records.remembered(resource, uid));
    if (found?.is === 'gone') throw goneError(resource, found);
    return found;
  };

function watchWorkers(nowMs: () => number) {
  let failures = 0;
  let awayUntilMs = -Infinity;
  return {
    areAway: () => nowMs() < awayUntilMs,
    /** Undefined also if there is no answer. */
    answer: async <View>(fromWorkflow: () => Promise<View | undefined>): Promise<View | undefined> => {
      try {
        const view = await fromWorkflow();
        failures = 0;
        return view;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failures += 1;
        if (failures >= WORKERS_AWAY.failures) awayUntilMs = nowMs() + WORKERS_AWAY.forMs;
        return undefined;
      }
    },
  };
}

export const goneError = (resource: ResourceName, end: RememberedEnd): ApiError =>
  new ApiError(
    'gone',
    `${goneInWords(`this ${resource.replace('-', ' ')}`, end)} It accepts nothing more, and its uid cannot be used again.`,
  );

/** Turns `records_unavailable` into undefined. */
export function noneIfAway(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'records_unavailable') throw error;
}

const unavailable = (error: unknown): ApiError =>
  new ApiError(
    'records_unavailable',
    `The records database did not answer: ${describeError(error)}. Running resources and their payments still work. Repeat the request later.`,
    { cause: error },
  );
