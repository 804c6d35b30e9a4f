// Runs of workflows: whether one is open, exists or was started, and what a new one waits for.
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type SearchAttributePair,
} from '@temporalio/common';
import { AWAITING, AWAITING_SINCE } from '../workflows/contracts/search-attributes.js';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { AwaitingWhat } from '../domain/attention/awaiting.js';

/** Whether a run still accepts signals. A paused run stores them. */
export const isOpen = ({ status }: Pick<WorkflowExecutionInfo, 'status'>): boolean =>
  status.name === 'RUNNING' || status.name === 'PAUSED';

/** The same condition as a visibility query. */
export const IS_OPEN = "ExecutionStatus IN ('Running', 'Paused')";

/** The answer of a call to a run. Undefined if there is no such run, or if a signal or update met an ended one. */
export const ifFound = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  });

/** As `ifFound`, for calls without an answer. */
export const isFound = async (call: Promise<unknown>): Promise<boolean> =>
  (await ifFound(call.then(() => true))) === true;

/** @returns false if a workflow with this id exists, or existed and must not be started again. */
export const isStarted = (start: Promise<unknown>): Promise<boolean> =>
  start.then(
    () => true,
    (error: unknown) => {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    },
  );

/** The search attributes of a new run until it sets its own. */
export const awaits = (what: AwaitingWhat, since = new Date()): SearchAttributePair[] => [
  { key: AWAITING, value: what },
  { key: AWAITING_SINCE, value: since },
];
