// Runs long reads (a sweep or an audit) that continue across attempts. Heartbeats carry the progress, and each attempt continues where the
// previous one stopped. If only a person can fix the problem, the read ends with a report of it.
import { heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isFinal, readFailure } from '../failure.js';
import { withHeartbeats } from './heartbeat.js';

/** A refusal can be temporary, for example for an expired cursor or a deleted webhook. A third one ends the read. */
const REFUSED_AT_MOST = 3;

/** Errors that would be the same at the next attempt. */
const REFUSALS: ReadonlySet<string> = new Set(['rejected', 'not_found', 'malformed']);

interface Resumable {
  /** How often the provider has refused a read. */
  refusals?: number | undefined;
}

export interface LongRead<Progress extends Resumable, Report> {
  /** Changes while the read is in progress. */
  at: { progress: Progress };
  read(): Promise<Report>;
  /** What the next attempt receives, as plain JSON. */
  carried(): unknown;
  /** Where the attempt after a refusal starts. */
  afterRefusal(progress: Progress): Progress;
  /** The report if the read cannot be completed. */
  stopped(code: string): Report;
  now(): number;
}

/**
 * @returns the report with its end time. It also returns normally if a person must act first, and with `refused` after three refusals.
 * @throws every other failure, as other reads do.
 */
export const inAttempts = <Progress extends Resumable, Report>(
  long: LongRead<Progress, Report>,
): Promise<Report & { endedAt: string }> =>
  withHeartbeats(
    async () => ({ ...(await attempt(long)), endedAt: new Date(long.now()).toISOString() }),
    () => long.carried(),
  );

async function attempt<Progress extends Resumable, Report>(
  long: LongRead<Progress, Report>,
): Promise<Report> {
  try {
    return await long.read();
  } catch (error) {
    const failure = readFailure(error);
    const code = failure instanceof ApplicationFailure ? (failure.type ?? 'unknown') : undefined;
    if (code !== undefined && isFinal(failure)) return long.stopped(code);
    if (code !== undefined && REFUSALS.has(code)) {
      const { progress } = long.at;
      const refusals = (progress.refusals ?? 0) + 1;
      if (refusals >= REFUSED_AT_MOST) return long.stopped('refused');
      long.at.progress = { ...long.afterRefusal(progress), refusals };
    }
    heartbeat(long.carried());
    throw failure;
  }
}
