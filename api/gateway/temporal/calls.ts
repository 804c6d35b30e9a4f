// How every call to Temporal is made: bounded in time, with outages kept apart from answers, and one query at a time to each workflow.
import { setTimeout as pause } from 'node:timers/promises';
import {
  QueryNotRegisteredError,
  QueryRejectedError,
  ServiceError,
  WorkflowClient,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';
import { isOpen } from '../../../delivery/open.js';
import { isUnanswered } from '../../../delivery/unanswered.js';
import { CONNECTION_ID } from '../../../workflows/entity/search-attributes.js';
import { ApiError } from '../../http/problems/errors.js';
import { createUpdateLimiter, isOverUpdateLimit } from './update-limiter.js';

/** Milliseconds. An outage is answered within 3 s, so a query and the probe after it stay below that together. */
export const BOUNDS = { call: 2500, query: 1900, probe: 700 } as const;

/** So that the client's own error, which is more precise, comes first. */
export const SLACK_MS = 50;
/** A timer that is later than this was kept waiting by this very process. */
const STARVED_MS = 250;
const EARLY_PAUSE_MS = 50;

/** gRPC status codes by number; the library that names them belongs to Temporal's client, not to us. */
const STATUS = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  failedPrecondition: 9,
  unimplemented: 12,
} as const;

interface Described {
  isOpen: boolean;
  runId: string;
  /** Whose account it is on. */
  connectionId: string | undefined;
}

export interface Calls {
  readonly client: Client;
  readonly taskQueue: string;
  /** One short call. Outages become ApiErrors; every other error passes as it is. */
  short: <T>(call: () => Promise<T>) => Promise<T>;
  /** Asks a workflow, running or closed, which takes a worker of its release; undefined when there is none. */
  ask: <T, Args extends unknown[]>(
    workflowId: string,
    query: QueryDefinition<T, Args>,
    ...args: Args
  ) => Promise<T | undefined>;
  /** The same, but one that has completed is read from its result: its release may have no worker any more. */
  read: <T, End>(
    workflowId: string,
    query: QueryDefinition<T>,
    atEnd: (end: End) => T,
  ) => Promise<T | undefined>;
  /** What only a worker can bring about: silence is the worker's, unless nothing else of Temporal answers either. */
  ofWorker: <T>(withinMs: number, call: () => Promise<T>) => Promise<T>;
  /** A workflow's newest run, read without a worker; undefined when there is none. */
  describe: (workflowId: string) => Promise<Described | undefined>;
  /** Sends an update to a running workflow, in its turn, and awaits its answer. */
  update: <T>(
    workflowId: string,
    withinMs: number,
    send: (handle: WorkflowHandle) => Promise<T>,
  ) => Promise<T>;
  /** The same bound for an update that is sent in another way. */
  long: <T>(withinMs: number, call: () => Promise<T>) => Promise<T>;
  /** Rejects unless Temporal answers within the time. */
  probe: (withinMs: number) => Promise<void>;
}

/** @param limit how many updates of one workflow are sent at once. */
export function createCalls(client: Client, taskQueue: string, limit = createUpdateLimiter()): Calls {
  const within = <T>(ms: number, call: () => Promise<T>): Promise<T> => bounded(client, ms, call);

  const short = <T>(call: () => Promise<T>): Promise<T> =>
    within(BOUNDS.call, call).catch((error: unknown) => {
      throw outageOf(error) ?? error;
    });
  const long = <T>(withinMs: number, call: () => Promise<T>): Promise<T> =>
    within(withinMs, call).catch((error: unknown) => {
      if (isWithoutAnswer(error)) throw workerUnavailable(error);
      throw isOverUpdateLimit(error) ? error : (outageOf(error) ?? error);
    });
  const probe = async (withinMs: number): Promise<void> => {
    await within(withinMs, () => client.workflowService.getSystemInfo({}));
  };

  const ofWorker = async <T>(withinMs: number, call: () => Promise<T>): Promise<T> => {
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

  const read = reading(client);

  return {
    client,
    taskQueue,
    short,
    long,
    ofWorker,
    probe,
    describe: oneAtATime((workflowId) =>
      againIfStarved(() => short(() => client.workflow.getHandle(workflowId).describe())).then(
        described,
        noneIfNotFound,
      ),
    ),
    update: (workflowId, withinMs, send) =>
      limit(workflowId, () => long(withinMs, () => send(client.workflow.getHandle(workflowId)))),
    ask: (workflowId, query, ...args) =>
      ofWorker(BOUNDS.query, () =>
        untilCaughtUp(() => client.workflow.getHandle(workflowId).query(query, ...args)),
      ).catch(noneIfNotFound),
    read: (workflowId, query, atEnd) =>
      ofWorker(BOUNDS.query, () => untilCaughtUp(() => read(workflowId, query, atEnd))).catch(noneIfNotFound),
  };
}

/** A query where the run is open, the result where it has completed. */
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
    // One that was ended by force left no result; another may have been begun since.
    if (status.name !== 'COMPLETED') return newest.query(query);
    return atEnd(await workflow.getHandle<() => Promise<End>>(workflowId, runId).result());
  };
}

/** The client heeds its deadline only while it calls, and not while it waits to call again: the timer does both. */
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
 * Reads once more where time ran out while this process had no turn, as before a crowd on a busy machine: timers go before what has arrived
 * is read, so that silence says nothing of Temporal then.
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

/** There was no answer in time, which the client's deadline or our own timer may have noticed first. */
const SILENCE = new Error('no answer in time');
function isSilence(error: unknown): boolean {
  const status = statusOf(error);
  if (status === STATUS.deadlineExceeded || status === STATUS.cancelled) return true;
  return error instanceof ApiError && error.cause === SILENCE;
}

const described = (run: WorkflowExecutionDescription): Described => ({
  runId: run.runId,
  isOpen: isOpen(run),
  connectionId: run.typedSearchAttributes.get(CONNECTION_ID),
});

/** For calls of a workflow that may not be there, or not any more: nothing, instead of an error. */
export function noneIfNotFound(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

const temporalUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'temporal_unavailable',
    'Nothing was lost that had been accepted. Repeat the same request later.',
    { cause },
  );
export const workerUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'worker_unavailable',
    'What was asked for may still be taken up. Repeating the same request is safe.',
    { cause },
  );

/**
 * Repeats a query that the worker failed, as it does while events wait for their workflow task (workflows/entity/engine/early-events.ts). The
 * deadline of the call ends this.
 */
const untilCaughtUp = <T>(query: () => Promise<T>): Promise<T> =>
  query().catch(async (error: unknown) => {
    if (!(error instanceof QueryNotRegisteredError) || isUnreplayable(error)) throw error;
    await pause(EARLY_PAUSE_MS);
    return untilCaughtUp(query);
  });

/** The client has one class for every failed query. The worker's own reasons are sealed; this one is sdk-core's, in clear. */
const isUnreplayable = (error: unknown): boolean =>
  error instanceof QueryNotRegisteredError && error.message.includes('[TMPRL1100]');

const unreplayable = (cause: unknown): ApiError =>
  new ApiError(
    'worker_unavailable',
    'The worker cannot replay the history of this workflow. An operator must reset it: docs/operating.md#replay.',
    { cause },
  );

/** The problem answered for an error that is not about the request; undefined for all others. */
function outageOf(error: unknown): ApiError | undefined {
  if (error instanceof NamespaceNotFoundError) return temporalUnavailable(error);
  if (!(error instanceof ServiceError) && !isGrpcServiceError(error)) return undefined;
  const status = statusOf(error);
  if (isUnprepared(error)) return temporalUnavailable(error);
  if (status === undefined || status === STATUS.invalidArgument || status === STATUS.unimplemented)
    return undefined;
  return status === STATUS.failedPrecondition ? workerUnavailable(error) : temporalUnavailable(error);
}

/** A server that lacks our search attributes calls our request wrong; the first worker to start registers them. */
function isUnprepared(error: unknown): boolean {
  for (let met = error; met instanceof Error; met = met.cause) {
    if (/search attribute/i.test(met.message)) return true;
  }
  return false;
}

function statusOf(error: unknown): number | undefined {
  for (let met = error; met instanceof Error; met = met.cause) if (isGrpcServiceError(met)) return met.code;
  return undefined;
}

const isWithoutAnswer = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
  (error instanceof WorkflowUpdateFailedError && isUnanswered(error.cause));

/**
 * One question at a time to each workflow, however many callers ask: Temporal lets a single query wait for a busy workflow and
 * turns others away, so a crowd of readers queues here. Those who come while an answer is on its way share the one after it, so that no answer is older than its question.
 * They share its failure too: what cannot be reached for one cannot be reached for all.
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
