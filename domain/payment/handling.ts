// Options of a payment that are for us only, and never sent to the provider. Pure.
import type { Instant } from '../facts/fact.js';
import type { RetryPolicy } from './retry.js';

export interface PaymentHandling {
  /** The payment is not sent for the first time after this. Default: the end of the Sydney day of the request. */
  submitBefore?: Instant | undefined;
  retry?: RetryPolicy | undefined;
}

interface Options {
  submit_before?: string | undefined;
  retry?: { attempts: number; every_seconds: number } | undefined;
}

/** Separates the order for the provider from the options in a request. */
export function orderAndHandling<Request extends Options>({ submit_before, retry, ...order }: Request) {
  return { order, handling: handlingOf({ submit_before, retry }) };
}

/** The options in a request; undefined if it has none. */
export function handlingOf({ submit_before: submitBefore, retry }: Options): PaymentHandling | undefined {
  if (submitBefore === undefined && retry === undefined) return undefined;
  return {
    ...(submitBefore !== undefined && { submitBefore }),
    ...(retry !== undefined && {
      retry: { attempts: retry.attempts, everySeconds: retry.every_seconds },
    }),
  };
}

/** The latest allowed `submit_before`, counted from now. */
const LONGEST_DAYS = 40;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Why this `submit_before` is refused; undefined if it is valid. */
export function faultOfSubmitBefore(submitBefore: Instant | undefined, nowMs: number): string | undefined {
  if (submitBefore === undefined) return undefined;
  const aheadMs = Date.parse(submitBefore) - nowMs;
  if (aheadMs <= 0) return 'expected an instant in the future';
  if (aheadMs > LONGEST_DAYS * DAY_MS) return `expected an instant within ${LONGEST_DAYS} days`;
  return undefined;
}
