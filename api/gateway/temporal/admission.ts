// A payment or refund is admitted before its own workflow starts.
import { ApiError } from '../../http/problems/errors.js';

/** Far below any retention period of Temporal. */
const STARTED_WITHIN_MS = 600_000;

interface Admitted {
  uid: string;
  /** Absent if it is no longer stored. */
  requestedAt?: string | undefined;
  isRepeat: boolean;
}

/**
 * The view of a payment or refund that was admitted. Temporal gives all repeats under one update id the same answer, so only the time
 * of admission identifies the admitting request. Clock skew costs at most an extra query, or gives a repeat the first answer.
 * @param beganMs when the request began.
 * @param requested the view of the new workflow. @param read undefined if there is no workflow: it is still starting, or Temporal no longer stores it.
 * @throws ApiError `gone`
 */
export async function admittedView<View>(
  kind: 'payment' | 'refund',
  { uid, requestedAt, isRepeat }: Admitted,
  beganMs: number,
  { requested, read }: { requested: (requestedAt: string) => View; read: () => Promise<View | undefined> },
): Promise<View> {
  if (!isRepeat && isSince(requestedAt, beganMs)) return requested(requestedAt);
  const before = await read();
  if (before !== undefined) return before;
  if (isSince(requestedAt, Date.now() - STARTED_WITHIN_MS)) return requested(requestedAt);
  const name = kind === 'payment' ? 'Payment' : 'Refund';
  const detail = `${name} ${uid} was admitted before, but we no longer store its outcome. Look it up at the provider.`;
  throw new ApiError('gone', detail);
}

const isSince = (requestedAt: string | undefined, sinceMs: number): requestedAt is string =>
  requestedAt !== undefined && Date.parse(requestedAt) >= sinceMs;
