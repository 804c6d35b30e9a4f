// Makes all calls to Temporal: with time limits, outages as ApiErrors, and one query at a time for each workflow.
import { setTimeout as pause } from 'node:timers/promises';
import {
  QueryNotRegisteredError,
  QueryRejectedError,
  WorkflowClient,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import type { Recorded } from '../records.js';
import type { QueryDefinition } from '@temporalio/common';
import { isOpen } from '../../../delivery/open.js';
import { CONNECTION_ID, CONNECTION_STATUS } from '../../../workflows/contracts/search-attributes.js';
import { ApiError } from '../../http/problems/errors.js';
import {
  SILENCE,
  isOfFailedTask,
  isSilence,
  isUnreplayable,
  isWithoutAnswer,
  outageOf,
  temporalUnavailable,
  unreplayable,
  workerUnavailable,
} from './outages.js';
import { createUpdateLimiter, isOverUpdateLimit } from './update-limiter.js';

/** Time limits in milliseconds. A query plus its probe stays below the 3 s in which we report an outage. */
export const BOUNDS = { call: 2500, query: 1900, probe: 700 } as const;

/** Lets the client's own, more precise error arrive before our timer. */
export const SLACK_MS = 50;
/** If a timer fires later than this, our own process was too busy. */
const STARVED_MS = 250;
const EARLY_PAUSE_MS = 50;

export interface Described {
  isOpen: boolean;
  /** It was terminated, or has failed, and so has left no state. */
  isLost: boolean;
  runId: string;
  connectionId: string | undefined;
  /** Only for connections. */
  hasConsent: boolean;
}

export interface Calls {
  readonly client: Client;
  readonly taskQueue: string;
  readonly recorded: Recorded;
  /** Makes one short call. Outages become ApiErrors; all other errors pass unchanged. */
  short: <T>(call: () => Promise<T>) => Promise<T>;
  /** Queries a running or closed workflow, which needs a worker of its release. Undefined if the workflow does not exist. */
  ask: <T, Args extends unknown[]>(
    workflowId: string,
    query: QueryDefinition<T, Args>,
    ...args: Args
  ) => Promise<T | undefined>;
  /** Like `ask`, but reads a completed workflow from its result, because its release may have no worker left. */
  read: <T, End>(
    workflowId: string,
    query: QueryDefinition<T>,
    atEnd: (end: End) => T,
  ) => Promise<T | undefined>;
  /** Makes a call that needs a worker. A timeout becomes `worker_unavailable`, or `temporal_unavailable` if a probe also fails. */
  ofWorker: <T>(withinMs: number, call: () => Promise<T>) => Promise<T>;
  /** Describes the latest run of a workflow, without a worker. Undefined if the workflow does not exist. */
  describe: (workflowId: string) => Promise<Described | undefined>;
  /** Waits for a slot, sends an update to a running workflow, and awaits the result. */
  update: <T>(
    workflowId: string,
    withinMs: number,
    send: (handle: WorkflowHandle) => Promise<T>,
  ) => Promise<T>;
  /** Applies the same error handling to an update that is sent in another way. */
  long: <T>(withinMs: number, call: () => Promise<T>) => Promise<T>;
  /** Rejects unless Temporal answers in time. */
  probe: (withinMs: number) => Promise<void>;
  /** Rejects unless Temporal answers in time that our namespace exists. */
  hasNamespace: (withinMs: number) => Promise<void>;
}

/** @param limit limits the concurrent updates of one workflow. */
export function createCalls(
  { client, taskQueue, recorded }: Pick<Calls, 'client' | 'taskQueue' | 'recorded'>,
  limit = createUpdateLimiter(),
): Calls {
  const within: Within = (ms, call) => bounded(client, ms, call);

  const short = <T>(call: () => Promise<T>): Promise<T> =>
    within(BOUNDS.call, call).catch((error: unknown) => {
      throw outageOf(error) ?? error;
    });
  const long = <T>(withinMs: number, call: () => Promise<T>): Promise<T> =>
    within(withinMs, () => untilTaskCompletes(call)).catch((error: unknown) => {
      if (isWithoutAnswer(error)) throw workerUnavailable(error);
      throw isOverUpdateLimit(error) ? error : (outageOf(error) ?? error);
    });
  const probe = async (withinMs: number): Promise<void> => {
    await within(withinMs, () => client.workflowService.getSystemInfo({}));
  };

  const ofWorker = askingWorker(within, probe);

  const read = reading(client);

  return {
    client,
    taskQueue,
    recorded,
    short,
    long,
    ofWorker,
    probe,
    hasNamespace: async (withinMs) => {
      const { namespace } = client.options;
      await within(withinMs, () => client.workflowService.describeNamespace({ namespace }));
    },
    describe: oneAtATime((workflowId) =>
      againIfStarved(() => short(() => client.workflow.getHandle(workflowId).describe())).then(
        described,
        noneIfNotFound,
      ),
    ),
    update: (workflowId, withinMs, send) => {
      recorded.updated(workflowId);
      return limit(workflowId, () => long(withinMs, () => send(client.workflow.getHandle(workflowId))));
    },
    ask: (workflowId, query, ...args) =>
      ofWorker(BOUNDS.query, () => untilCaughtUp(() => queriedRun(client, workflowId, query, ...args))).catch(
        noneIfNotFound,
      ),
    read: (workflowId, query, atEnd) =>
      ofWorker(BOUNDS.query, () => untilCaughtUp(() => read(workflowId, query, atEnd))).catch(noneIfNotFound),
  };
}

type Within = <T>(ms: number, call: () => Promise<T>) => Promise<T>;

const askingWorker =
  (within: Within, probe: Calls['probe']) =>
  async <T>(withinMs: number, call: () => Promise<T>): Promise<T> => {
    try {
      return await within(withinMs, call);
    } catch (error) {
      if (isUnreplayable(error)) throw unreplayable(error);
      if (!isSilence(error)) throw outageOf(error) ?? error;
      throw await probe(BOUNDS.probe).then(
        () => workerUnavailable(error),
        () => temporalUnavailable(error),
      );
    }
  };

/** Queries an open run, and reads the result of a completed run. */
function reading({ workflow }: Client): Calls['read'] {
  const ofOpen = new WorkflowClient({ ...workflow.options, queryRejectCondition: 'NOT_OPEN' });
  return async <T, End>(workflowId: string, query: QueryDefinition<T>, atEnd: (end: End) => T) => {
    try {
      return await ofOpen.getHandle(workflowId).query(query);
    } catch (error) {
      if (!(error instanceof QueryRejectedError)) throw error;
    }
    const newest = workflow.getHandle(workflowId);
    const { runId, status } = await newest.describe();
    if (status.name === 'FAILED') return undefined;
    // A terminated run has no result, and a newer run may have started since the query.
    if (status.name !== 'COMPLETED') return newest.query(query);
    return atEnd(await workflow.getHandle<() => Promise<End>>(workflowId, runId).result());
  };
}

/** A run that has found its record gone has failed, and answers no query: undefined. */
async function queriedRun<T, Args extends unknown[]>(
  { workflow }: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> {
  const run = workflow.getHandle(workflowId);
  try {
    return await run.query(query, ...args);
  } catch (error) {
    if (!(error instanceof QueryNotRegisteredError)) throw error;
    if ((await run.describe()).status.name !== 'FAILED') throw error;
    return undefined;
  }
}

/** The client's deadline covers its calls but not the backoff between its retries. The timer covers both. */
async function bounded<T>(client: Client, ms: number, call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(temporalUnavailable(SILENCE)), ms + SLACK_MS);
  });
  try {
    return await Promise.race([client.withDeadline(Date.now() + ms, call), over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads again if the call timed out while our own process was starved of CPU. Node runs timers before it reads arrived data, so
 * a timeout proves nothing about Temporal then.
 */
export async function againIfStarved<T>(
  read: () => Promise<T>,
  nowMs = (): number => performance.now(),
): Promise<T> {
  const untilMs = nowMs() + BOUNDS.call + STARVED_MS;
  try {
    return await read();
  } catch (error) {
    const isOutage = error instanceof ApiError && error.code === 'temporal_unavailable';
    if (!isOutage || nowMs() <= untilMs) throw error;
  }
  return read();
}

const described = (run: WorkflowExecutionDescription): Described => ({
  runId: run.runId,
  isOpen: isOpen(run),
  isLost: !isOpen(run) && run.status.name !== 'COMPLETED',
  connectionId: run.typedSearchAttributes.get(CONNECTION_ID),
  hasConsent: run.typedSearchAttributes.get(CONNECTION_STATUS) === 'healthy',
});

/** Turns WorkflowNotFoundError into undefined. */
export function noneIfNotFound(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

/**
 * Retries a failed query until the deadline of the call. The worker fails queries while events wait for their workflow task
 * (workflows/on-temporal/early-events.ts).
 */
const untilCaughtUp = <T>(query: () => Promise<T>): Promise<T> =>
  query().catch(async (error: unknown) => {
    if (!(error instanceof QueryNotRegisteredError) || isUnreplayable(error)) throw error;
    await pause(EARLY_PAUSE_MS);
    return untilCaughtUp(query);
  });

/**
 * Repeats an update whose workflow task did not complete, until the deadline of the call. The server has then dropped the update. So it is when
 * the update would have ended its run while the records are away (docs/decisions/0027-records.md).
 */
const untilTaskCompletes = <T>(update: () => Promise<T>): Promise<T> =>
  update().catch(async (error: unknown) => {
    if (!isOfFailedTask(error)) throw error;
    await pause(EARLY_PAUSE_MS);
    return untilTaskCompletes(update);
  });

/**
 * Runs one query at a time for each workflow. Temporal queues a single query for a busy workflow and rejects others, so
 * concurrent readers wait here instead. Callers that arrive during a query share the next one, so no answer is older than its
 * request. They also share its failure.
 */
export function oneAtATime<T>(fetch: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();

  const begin = (key: string): Promise<T> => {
    const answer = fetch(key).finally(() => running.delete(key));
    running.set(key, answer);
    return answer;
  };
  const queue = (key: string, current: Promise<T>): Promise<T> => {
    const next = current.finally(() => waiting.delete(key)).then(() => begin(key));
    waiting.set(key, next);
    return next;
  };
  return (key) => {
    const current = running.get(key);
    if (current === undefined) return begin(key);
    return waiting.get(key) ?? queue(key, current);
  };
}
