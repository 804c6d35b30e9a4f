// Recognises outages of Temporal and of the workers, and turns them into ApiErrors.
import {
  QueryNotRegisteredError,
  QueryRejectedError,
  ServiceError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { isUnanswered } from '../../../delivery/unanswered.js';
import type { ProblemCode } from '../../http/problems/codes.js';
import { ApiError } from '../../http/problems/errors.js';

/** gRPC status codes. We do not depend on the library that names them; Temporal's client does. */
const STATUS = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
} as const;

/** The problem for an error that the request did not cause; undefined for all others. */
export function outageOf(error: unknown): ApiError | undefined {
  if (error instanceof NamespaceNotFoundError) return temporalUnavailable(error);
  // Our queries of closed workflows are never rejected (see `reading` in calls.ts), so this one is paused.
  if (error instanceof QueryRejectedError) return workflowPaused(error);
  if (!(error instanceof ServiceError) && !isGrpcServiceError(error)) return undefined;
  const status = statusOf(error);
  if (status === STATUS.resourceExhausted) return temporalBusy(error);
  if (says(error, UNPREPARED)) return temporalUnavailable(error);
  if (says(error, PAUSED)) return workflowPaused(error);
  if (status === undefined || status === STATUS.invalidArgument || status === STATUS.unimplemented)
    return undefined;
  return status === STATUS.failedPrecondition ? workerUnavailable(error) : temporalUnavailable(error);
}

/** Temporal rejects our requests until the first worker has registered our search attributes. */
const UNPREPARED = /search attribute/i;
/** Temporal's messages for an update whose workflow task failed, or that came before the next attempt of such a task. */
const TASK_FAILED = /unexpected workflow task failure|workflow task in failed state/i;
/** Temporal's message for the update of a paused workflow. Its status is the same as without a worker. */
const PAUSED = /workflow is paused/i;

/** Whether the workflow task with this update failed, so the server has dropped the update. */
export const isOfFailedTask = (error: unknown): boolean => says(error, TASK_FAILED);

function says(error: unknown, message: RegExp): boolean {
  for (let met = error; met instanceof Error; met = met.cause) if (message.test(met.message)) return true;
  return false;
}

function statusOf(error: unknown): number | undefined {
  for (let met = error; met instanceof Error; met = met.cause) if (isGrpcServiceError(met)) return met.code;
  return undefined;
}

const problem =
  (code: ProblemCode, detail: string) =>
  (cause: unknown): ApiError =>
    new ApiError(code, detail, { cause });

export const temporalUnavailable = problem(
  'temporal_unavailable',
  'Temporal is unavailable. Accepted requests are not lost. Repeat the same request later.',
);
const temporalBusy = problem(
  'too_many_requests',
  'Temporal has more requests than it allows. Accepted requests are not lost. Repeat the same request later.',
);
export const workerUnavailable = problem(
  'worker_unavailable',
  'The worker did not answer in time and may still process the request. It is safe to repeat the same request.',
);
const workflowPaused = problem(
  'workflow_paused',
  "A workflow that this request needs is paused in Temporal. Unpause it in Temporal's UI, then repeat the same request.",
);

/** The client has one error class for all failed queries. The worker's messages are sealed; sdk-core's message is not. */
export const isUnreplayable = (error: unknown): boolean =>
  error instanceof QueryNotRegisteredError && error.message.includes('[TMPRL1100]');

export const unreplayable = problem(
  'worker_unavailable',
  'The worker cannot replay the history of this workflow. An operator must reset the workflow: docs/operating.md#replay.',
);

/** A timeout, detected either by the client's deadline or by our own timer. */
export const SILENCE = new Error('no answer in time');

export function isSilence(error: unknown): boolean {
  const status = statusOf(error);
  if (status === STATUS.deadlineExceeded || status === STATUS.cancelled) return true;
  return error instanceof ApiError && error.cause === SILENCE;
}

/** Whether an update was sent, and no worker answered in time. */
export const isWithoutAnswer = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
  (error instanceof WorkflowUpdateFailedError && isUnanswered(error.cause));
