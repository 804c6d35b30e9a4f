// What a refused call means to whoever made it: wait for a person's consent, or something to judge.
import { RetryState } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, TimeoutFailure, isCancellation } from '@temporalio/workflow';
import type { PaymentFailure } from '../../domain/payment.js';
import type { Blocked } from './state.js';

/** What an activity's failure says, in the words of activities/failure.ts. `unanswered`: no one knows. */
export interface CallFailure {
  code: string;
  providerCodes: string[];
  title?: string | undefined;
  /** The HTTP status of the provider's answer, where there was one. */
  status?: number | undefined;
  requiredScope?: string | undefined;
  /** The time given was over before anyone had given a last word. */
  isTimedOut?: boolean | undefined;
  /** Milliseconds that the provider asked us to wait. */
  retryAfterMs?: number | undefined;
}

/** Asked to the end of the time given, and there was nothing: the one way to fail that is an answer. */
export const isNothingFound = ({ code }: CallFailure): boolean => code === 'nothing_new';

/** Reads a failed activity; anything that is not one is a fault of ours, or a cancellation, and is thrown on. */
export function callFailureOf(error: unknown): CallFailure {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  const cause = error.cause instanceof TimeoutFailure ? error.cause.cause : error.cause;
  const isTimedOut = error.cause instanceof TimeoutFailure || error.retryState === RetryState.TIMEOUT;
  if (!(cause instanceof ApplicationFailure)) return { code: 'unanswered', providerCodes: [], isTimedOut };
  return { code: cause.type ?? 'unanswered', isTimedOut, ...evidenceIn(cause.details?.[0]) };
}

function evidenceIn(detail: unknown): Omit<CallFailure, 'code'> {
  if (typeof detail !== 'object' || detail === null) return { providerCodes: [] };
  const codes: unknown = Reflect.get(detail, 'providerCodes');
  const title: unknown = Reflect.get(detail, 'title');
  const status: unknown = Reflect.get(detail, 'status');
  const requiredScope: unknown = Reflect.get(detail, 'requiredScope');
  const retryAfterMs: unknown = Reflect.get(detail, 'retryAfterMs');
  return {
    providerCodes: Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [],
    title: typeof title === 'string' ? title : undefined,
    status: typeof status === 'number' ? status : undefined,
    requiredScope: typeof requiredScope === 'string' ? requiredScope : undefined,
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
  };
}

const consentAgain = (connectionId = '{id}'): string =>
  `Consent again: POST /v1/connections/${connectionId}/reauthorisation answers the link. This goes on by itself then.`;

/** The wait that this failure asks for, when only consent can help (design 5.1: agreements wait, they do not fail). */
export function blockedBy(
  { code, requiredScope }: CallFailure,
  since: string,
  connectionId: string | undefined,
): Blocked | undefined {
  const next = consentAgain(connectionId);
  if (code === 'needs_reauthorisation') {
    return { code, since, detail: 'The connection has no consent at present.', next };
  }
  if (code === 'forbidden') {
    const scope = requiredScope ?? 'one that it did not name';
    const detail = `The provider asks for a scope that the consent lacks: ${scope}.`;
    return { code, since, detail, next };
  }
  return undefined;
}

/** The provider will not even be asked; a person must see why before it makes sense to go on. */
export const refusedToAnswer = ({ code, providerCodes }: CallFailure, since: string): Blocked => ({
  code: 'conflict',
  since,
  detail: `A call to the provider failed for good (${[code, ...providerCodes].join(', ')}).`,
  next: 'See the failed activity in the history, mend its cause, then send the signal `connectionRestored`.',
});

export const failureFrom = ({ code, providerCodes, title }: CallFailure): PaymentFailure => ({
  code: providerCodes[0] ?? code,
  title,
  retryable: false,
});
