// The last check before a payment leaves: a worker may begin with a submission long after it was scheduled.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { JUDGEMENT_LASTS_MS } from '../../domain/terms/judgement.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

/** Until when a payment may be sent. */
export interface SendingTime {
  /** When its agreement allowed it; without that it is not sent. */
  judgedAt?: Instant | undefined;
  /** Its last moment. */
  sendBefore?: Instant | undefined;
}

/** Does work only while the payment may be sent. @throws ApplicationFailure `late`: nothing was sent, and its agreement has to be asked. */
export const ifInTime =
  <T>({ now }: Pick<Dependencies, 'now'>, time: SendingTime, work: (call: Call) => Promise<T>) =>
  async (call: Call): Promise<T> => {
    const why = whyLate(time, now());
    if (why === undefined) return work(call);
    throw ApplicationFailure.create({
      type: 'late' satisfies CallCode,
      message: `not sent: ${why}`,
      nonRetryable: true,
      category: ApplicationFailureCategory.BENIGN,
    });
  };

/** Why it may not be sent at that time, in epoch milliseconds; undefined where it may. */
export function whyLate({ judgedAt, sendBefore }: SendingTime, nowMs: number): string | undefined {
  if (judgedAt === undefined || nowMs - Date.parse(judgedAt) > JUDGEMENT_LASTS_MS)
    return 'its agreement has to be asked again whether it may be sent';
  return sendBefore !== undefined && nowMs > Date.parse(sendBefore)
    ? 'its last moment has passed'
    : undefined;
}
