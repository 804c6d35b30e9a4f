// What is asked for with a payment beside its order: it stays here, and is never sent to the provider. Pure.
import type { Instant } from '../facts/fact.js';
import type { RetryPolicy } from './retry.js';

export interface PaymentHandling {
  /** It is not sent after that; absent: not after the Sydney day on which it was asked for. */
  submitBefore?: Instant | undefined;
  retry?: RetryPolicy | undefined;
}

/** What was said of it beside the order; nothing where nothing was. */
export function handlingOf({
  submit_before: submitBefore,
  retry,
}: {
  submit_before?: string | undefined;
  retry?: { attempts: number; every_seconds: number } | undefined;
}): PaymentHandling | undefined {
  if (submitBefore === undefined && retry === undefined) return undefined;
  return {
    ...(submitBefore !== undefined && { submitBefore }),
    ...(retry !== undefined && {
      retry: { attempts: retry.attempts, everySeconds: retry.every_seconds },
    }),
  };
}

/** So far ahead at the most it may be asked for. */
const LONGEST_DAYS = 40;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Why it cannot be sent before that, or nothing where it can. */
export function faultOfSubmitBefore(submitBefore: Instant | undefined, nowMs: number): string | undefined {
  if (submitBefore === undefined) return undefined;
  const aheadMs = Date.parse(submitBefore) - nowMs;
  if (aheadMs <= 0) return 'expected an instant in the future';
  if (aheadMs > LONGEST_DAYS * DAY_MS) return `expected an instant within ${LONGEST_DAYS} days`;
  return undefined;
}
