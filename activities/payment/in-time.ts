// The last check before a payment is sent: a worker may start an activity long after it was scheduled.
import { JUDGEMENT_LASTS_MS } from '../../domain/terms/judgement.js';
import { unsent } from '../failure.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Dependencies } from '../dependencies.js';

/** The time limits for sending a payment. */
export interface SendingTime {
  /** When its agreement allowed the payment. Without this time it is not sent. */
  judgedAt?: Instant | undefined;
  /** The latest time to send the payment. */
  sendBefore?: Instant | undefined;
}

/** Checks the time limits. @throws ApplicationFailure `late`: nothing was sent, and the agreement must judge the payment again. */
export function requireInTime({ now }: Pick<Dependencies, 'now'>, time: SendingTime): void {
  const why = whyLate(time, now());
  if (why !== undefined) throw unsent('late', why);
}

/** Why the payment may not be sent at this time, in epoch milliseconds; undefined if it may. */
export function whyLate({ judgedAt, sendBefore }: SendingTime, nowMs: number): string | undefined {
  if (judgedAt === undefined || nowMs - Date.parse(judgedAt) > JUDGEMENT_LASTS_MS)
    return 'its agreement must judge it again first';
  return sendBefore !== undefined && nowMs > Date.parse(sendBefore) ? 'its deadline has passed' : undefined;
}
