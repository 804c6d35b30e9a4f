// What a failed activity means to the workflow that called it. workflows/resource/blocked.ts decides what the workflow then waits for.
import { ApplicationFailure, RetryState, TimeoutFailure, type ActivityFailure } from '@temporalio/common';
import { callCodeOf, type CallCode } from '../../domain/provider/call-codes.js';
import { shortened } from '../../domain/facts/retention.js';
import { isMeaning, type Meaning } from '../../domain/provider/error-meaning.js';
import type { Refusal } from '../../domain/facts/snapshot.js';

/** The parsed failure of an activity. */
export interface CallFailure {
  code: CallCode;
  providerCodes: string[];
  title?: string | undefined;
  /** The meaning of the provider's code, from the error table of payments-api/. */
  means?: Meaning | undefined;
  /** What a person should do, from the same table. */
  advice?: string | undefined;
  /** The HTTP status of the provider's answer, if there was one. */
  status?: number | undefined;
  requiredScope?: string | undefined;
  /** The consent certainly lacks a scope, so a retry would not help. */
  lacksScope?: boolean | undefined;
  /** The activity timed out before it had a final result. */
  isTimedOut?: boolean | undefined;
  /** The activity timed out without a heartbeat. If it marks its call first (activities/resource/mark-call.ts), nothing was sent. */
  isUnmarked?: true | undefined;
  /** The pause that the provider requested, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** The connections that could not be searched: their number, and the ids of the first few. */
  unasked?: { count: number; named: string[] } | undefined;
}

/** A poll reached its time limit and found nothing. This is the only failure that counts as an answer. */
export const isNothingFound = ({ code }: CallFailure): boolean => code === 'nothing_new';

/** Failures of single-attempt calls that certainly had no effect: the same call may be sent again (docs/architecture.md#payments-never-twice). */
const WITHOUT_EFFECT: ReadonlySet<CallCode> = new Set<CallCode>([
  'queued',
  'late',
  'stopped',
  'withdrawn',
  'not_marked',
  'rate_limited',
  'unauthorised',
  'client_refused',
  'SealError',
  'token_not_read',
  'token_not_refreshed',
]);

/** Whether the call certainly had no effect at the provider (docs/architecture.md#payments-never-twice). */
export const isWithoutEffect = ({ code, status = 0, isUnmarked }: CallFailure): boolean =>
  isUnmarked === true || WITHOUT_EFFECT.has(code) || (status >= 300 && status < 400);

/** Parses the failure of an activity. */
export function callFailureOf({
  cause: given,
  retryState,
}: Pick<ActivityFailure, 'cause'> & Partial<Pick<ActivityFailure, 'retryState'>>): CallFailure {
  const cause = given instanceof TimeoutFailure ? given.cause : given;
  const isTimedOut = given instanceof TimeoutFailure || retryState === RetryState.TIMEOUT;
  if (!(cause instanceof ApplicationFailure)) {
    const isUnmarked = given instanceof TimeoutFailure && given.lastHeartbeatDetails === undefined;
    return { code: 'unanswered', providerCodes: [], isTimedOut, ...(isUnmarked && { isUnmarked }) };
  }
  return { code: callCodeOf(cause.type), isTimedOut, ...evidenceIn(cause.details?.[0]) };
}

function evidenceIn(detail: unknown): Omit<CallFailure, 'code'> {
  if (typeof detail !== 'object' || detail === null) return { providerCodes: [] };
  const textOf = (name: string): string | undefined => ofType(Reflect.get(detail, name), isText);
  const numberOf = (name: string): number | undefined => ofType(Reflect.get(detail, name), isNumber);
  const codes: unknown = Reflect.get(detail, 'providerCodes');
  return {
    providerCodes: Array.isArray(codes) ? codes.filter(isText) : [],
    title: textOf('title'),
    means: ofType(Reflect.get(detail, 'means'), isMeaning),
    advice: textOf('advice'),
    status: numberOf('status'),
    requiredScope: textOf('requiredScope'),
    lacksScope: Reflect.get(detail, 'lacksScope') === true ? true : undefined,
    retryAfterMs: numberOf('retryAfterMs'),
    unasked: unaskedIn(Reflect.get(detail, 'unasked')),
  };
}

function unaskedIn(value: unknown): CallFailure['unasked'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const count: unknown = Reflect.get(value, 'count');
  const named: unknown = Reflect.get(value, 'named');
  return isNumber(count) && Array.isArray(named) ? { count, named: named.filter(isText) } : undefined;
}

const ofType = <T>(value: unknown, isOf: (value: unknown) => value is T): T | undefined =>
  isOf(value) ? value : undefined;
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The refusal to record, with the provider's own code if there is one. */
export const refusalIn = ({
  code,
  providerCodes,
  title,
  advice,
  retryAfterMs,
  means,
}: CallFailure): Refusal => ({
  code: providerCodes[0] ?? code,
  title: title === undefined ? undefined : shortened(title),
  next: advice,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
  ...(means === 'limit' && { isTemporary: true }),
});
