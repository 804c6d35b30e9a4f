import { RETRY_AFTER_MS } from '../../domain/payment/retry.js';
import { errorRow } from '../../payments-api/error-table.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { callOnce } from '../resource/submit-once.js';
import { requireNoStop } from '../temporal/stops.js';
import { requireInTime, type SendingTime } from './in-time.js';
import type { RetryPayment } from '../../domain/payment/request.schema.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

export interface RetryPaymentArgs extends SendingTime {
  uid: string;
  connectionId: string;
  /** Replaces the creditor of the first submission. */
  creditor?: RetryPayment['creditor'];
}

/** Makes one call; none if payments are stopped or the time limit has passed. @throws ApplicationFailure, with `retryAfterMs` if the retry was too early. */
export function retryPaymentActivity(deps: Dependencies) {
  return function retryPayment(args: RetryPaymentArgs): Promise<'accepted'> {
    const { uid, connectionId, creditor } = args;
    const rightBeforeFirstByte = async (): Promise<void> => {
      await requireNoStop(deps, connectionId);
      requireInTime(deps, args);
    };
    const retry = async (call: Call): Promise<'accepted'> => {
      const request = creditor === undefined ? {} : { creditor };
      await deps.payments.retryPayment(uid, request, call).catch((error: unknown) => {
        throw error instanceof PaymentsApiError ? addRetryAfter(error, deps.now()) : error;
      });
      return 'accepted';
    };
    return callOnce(deps, connectionId, retry, rightBeforeFirstByte);
  };
}

/** Adds the time that the provider names in the detail of a "too soon" refusal (docs/provider.md#errors). The default is one hour. */
function addRetryAfter(error: PaymentsApiError, nowMs: number): PaymentsApiError {
  const problem = error.problems.find(({ code }) => errorRow(code ?? '')?.means === 'too_soon');
  if (problem === undefined) return error;
  const { code, message, status, problems, requestId } = error;
  const retryAfterMs = error.retryAfterMs ?? msUntilNamed(problem.detail ?? '', nowMs) ?? RETRY_AFTER_MS;
  return new PaymentsApiError(code, message, { status, problems, requestId, retryAfterMs, cause: error });
}

const INSTANT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/;

/** Milliseconds until the time named in the text; undefined if it names no future time. */
export function msUntilNamed(text: string, nowMs: number): number | undefined {
  const aheadMs = Date.parse(INSTANT.exec(text)?.[0] ?? '') - nowMs;
  return aheadMs > 0 ? aheadMs : undefined;
}
