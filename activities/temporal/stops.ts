// Whether payments may be sent: what is stopped, as the run `stop` says, read anew after five seconds. Nothing is sent where it cannot be read.
import { ApplicationFailure, ApplicationFailureCategory, WorkflowNotFoundError } from '@temporalio/common';
import { isStopped } from '../../domain/payment/stop.js';
import { STOP_WORKFLOW_ID, getStops } from '../../workflows/stop/contract.js';
import { countStopped } from '../attempts/counted.js';
import { within } from '../attempts/within.js';
import type { Client } from '@temporalio/client';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Call } from '../../payments-api/client.js';
import type { Stops } from '../../workflows/stop/contract.js';

/** How old an answer may be, counted from when it was asked for. */
const OLDEST_MS = 5000;
/** How long one is waited for: an activity keeps its slot meanwhile. */
const READING_MS = 2000;

/** `unreadable`: it is not known, so nothing may be sent. */
export type StopStatus = 'free' | 'stopped' | 'unreadable';

/** How it stands with payments of a connection. */
export type ReadStop = (connectionId: string) => Promise<StopStatus>;

interface StopDependencies {
  /** Epoch milliseconds. */
  now: () => number;
  /** What is stopped now, asked anew each time. */
  read: () => Promise<Stops>;
}

/** One reading at a time, whose answer all share who ask meanwhile or soon after. */
export function createReadStop({ now, read }: StopDependencies): ReadStop {
  let stored: { stops: Stops; requestedAtMs: number } | undefined;
  let reading: Promise<Stops> | undefined;
  const readAnew = async (): Promise<Stops> => {
    const requestedAtMs = now();
    const stops = await within(read(), READING_MS, notRead);
    stored = { stops, requestedAtMs };
    return stops;
  };
  const current = (): Promise<Stops> => {
    // In either direction: a clock may be set.
    if (stored !== undefined && Math.abs(now() - stored.requestedAtMs) < OLDEST_MS)
      return Promise.resolve(stored.stops);
    reading ??= readAnew().finally(() => (reading = undefined));
    return reading;
  };
  return (connectionId) =>
    current().then(
      (stops) => (isStopped(stops, connectionId) ? 'stopped' : 'free'),
      () => 'unreadable',
    );
}

/** Asks the run itself; where there was never one, nothing is stopped. */
export const stopsIn =
  (temporal: Client): StopDependencies['read'] =>
  async () => {
    try {
      return await temporal.withDeadline(Date.now() + READING_MS, () =>
        temporal.workflow.getHandle(STOP_WORKFLOW_ID).query(getStops),
      );
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return [];
      throw error;
    }
  };

/** Work that moves money, done only where nothing stops it as it begins. @throws ApplicationFailure `stopped`: nothing was sent. */
export const unlessStopped =
  <T>({ readStop }: { readStop: ReadStop }, connectionId: string, work: (call: Call) => Promise<T>) =>
  async (call: Call): Promise<T> => {
    const status = await readStop(connectionId);
    if (status === 'free') return work(call);
    countStopped(status);
    throw ApplicationFailure.create({
      type: 'stopped' satisfies CallCode,
      message: `not sent: ${STOP_STATUS_IN_WORDS[status]}`,
      nonRetryable: true,
      category: ApplicationFailureCategory.BENIGN,
    });
  };

export const STOP_STATUS_IN_WORDS: Readonly<Record<Exclude<StopStatus, 'free'>, string>> = {
  stopped: 'a stop of payments is in force (GET /v1/stop)',
  unreadable: 'it could not be read in time whether a stop of payments is in force',
};

const notRead = (): Error => new Error('expected the run `stop` to answer in time');
