// What reads the provider by the thousand, a sweep or an audit, is made of attempts: how far it has come is in its heartbeats, and each
// attempt goes on where the one before it stopped. What only a person can mend ends it with a report that says so.
import { heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { readFailure } from '../failure.js';
import { withHeartbeats } from './heartbeat.js';

/** A cursor or a webhook may have been forgotten meanwhile; what is refused again and again will be the next time. */
const REFUSED_AT_MOST = 3;

/** An answer, and the same the next time. */
const REFUSALS: ReadonlySet<string> = new Set(['rejected', 'not_found', 'malformed']);

interface Resumable {
  /** How often the provider has refused what was read. */
  refusals?: number | undefined;
}

export interface LongRead<Progress extends Resumable, Report> {
  /** What changes while it goes on. */
  at: { progress: Progress };
  read(): Promise<Report>;
  /** What the attempt after this one is given, as plain JSON. */
  carried(): unknown;
  /** Where the attempt after a refusal begins. */
  afterRefusal(progress: Progress): Progress;
  /** What is reported where it does not come to its end. */
  stopped(code: string): Report;
  now(): number;
}

/**
 * @returns the report with the time of its end, also where a person has to do something first, and with `refused` where the provider has
 *   refused three times.
 * @throws what else keeps it from going on now, as other reads do.
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
    if (code !== undefined && isForAPerson(failure)) return long.stopped(code);
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

const isForAPerson = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.nonRetryable === true;
