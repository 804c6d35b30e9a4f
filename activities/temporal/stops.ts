// Reads from the workflow `stop` whether payments are stopped, at most every five seconds. If it cannot be read, nothing is sent.
import { ifFound } from '../../delivery/open.js';
import { isStopped } from '../../domain/payment/stop.js';
import { STOP_WORKFLOW_ID, getStops, type Stops } from '../../workflows/stop/contract.js';
import { countStopped } from '../attempts/counted.js';
import { unsent, nothingYet } from '../failure.js';
import { within } from '../attempts/within.js';
import type { Client } from '@temporalio/client';

/** The maximum age of an answer, counted from its request. */
const OLDEST_MS = 5000;
/** How long a read may take. The activity holds its slot during this time. */
const READING_MS = 2000;

/** `unreadable`: the status is unknown, so nothing may be sent. */
export type StopStatus = 'free' | 'stopped' | 'unreadable';

/** Returns whether payments of a connection are stopped. */
export type ReadStop = (connectionId: string) => Promise<StopStatus>;

interface StopDependencies {
  /** Epoch milliseconds. */
  now: () => number;
  /** Reads the current stops without a cache. */
  read: () => Promise<Stops>;
}

/** Makes one read at a time. All callers during the read, and for a short time after it, share its answer. */
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
    // Works in both directions, because the clock may be set back.
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

/** Queries the workflow `stop`. If it does not exist, nothing is stopped. */
export const stopsIn =
  (temporal: Client): StopDependencies['read'] =>
  async () => {
    const stops = temporal.withDeadline(Date.now() + READING_MS, () =>
      temporal.workflow.getHandle(STOP_WORKFLOW_ID).query(getStops),
    );
    return (await ifFound(stops)) ?? [];
  };

/** Checks that payments are not stopped. @throws ApplicationFailure `stopped`: nothing was sent. */
export async function requireNoStop(
  { readStop }: { readStop: ReadStop },
  connectionId: string,
): Promise<void> {
  const status = await readStop(connectionId);
  if (status === 'free') return;
  countStopped(status);
  throw unsent('stopped', STOP_STATUS_IN_WORDS[status]);
}

/**
 * Waits until payments resume. Each attempt reads the stop once. Temporal makes the next attempt after the poll interval.
 * @throws ApplicationFailure `nothing_new` while payments are stopped or the stop cannot be read.
 */
export const awaitResumptionActivity =
  ({ readStop }: { readStop: ReadStop }) =>
  async ({ connectionId }: { connectionId: string }): Promise<void> => {
    const status = await readStop(connectionId);
    if (status !== 'free') throw nothingYet('stop', STOP_STATUS_IN_WORDS[status]);
  };

const STOP_STATUS_IN_WORDS: Readonly<Record<Exclude<StopStatus, 'free'>, string>> = {
  stopped: 'payments are stopped (GET /v1/stop)',
  unreadable: 'the stop status could not be read in time',
};

const notRead = (): Error => new Error('the workflow `stop` did not answer in time');
