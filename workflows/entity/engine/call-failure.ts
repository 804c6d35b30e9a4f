// What a call that failed says to the workflow that made it. What then stands in its way is in workflows/entity/resource/blocked.ts.
import { ApplicationFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import { callCodeOf } from '../../../domain/provider/call-codes.js';
import { shortened } from '../../../domain/facts/retention.js';
import { isMeaning } from '../../../domain/provider/error-meaning.js';
import type { ActivityFailure } from '@temporalio/common';
import type { CallCode } from '../../../domain/provider/call-codes.js';
import type { Meaning } from '../../../domain/provider/error-meaning.js';
import type { Refusal } from '../../../domain/facts/snapshot.js';

/** What an activity's failure says. */
export interface CallFailure {
  code: CallCode;
  providerCodes: string[];
  title?: string | undefined;
  /** What the provider's code means to us, from the error table of payments-api/. */
  means?: Meaning | undefined;
  /** What a person should do about it, from the same table. */
  advice?: string | undefined;
  /** The HTTP status of the provider's answer, where there was one. */
  status?: number | undefined;
  requiredScope?: string | undefined;
  /** The consent certainly lacks a scope: asking again would not help. */
  lacksScope?: boolean | undefined;
  /** The time given was over before there was a last word. */
  isTimedOut?: boolean | undefined;
  /** It went silent without a mark: of a call that is marked before it is made (activities/resource/mark-call.ts) nothing was sent. */
  isUnmarked?: true | undefined;
  /** Milliseconds that the provider asked us to wait. */
  retryAfterMs?: number | undefined;
  /** The connections that could not be asked, the first of them by name. */
  unasked?: { count: number; named: string[] } | undefined;
}

/** Asked to the end of the time given, and there was nothing: the one way to fail that is an answer. */
export const isNothingFound = ({ code }: CallFailure): boolean => code === 'nothing_new';

/** What had certainly no effect at the provider, of a call that is made once: the very same is sent again once its reason is over (docs/architecture.md#payments-never-twice). */
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
  'token_not_renewed',
]);

/** Whether the provider certainly did nothing (docs/architecture.md#payments-never-twice). */
export const isWithoutEffect = ({ code, status = 0, isUnmarked }: CallFailure): boolean =>
  isUnmarked === true || WITHOUT_EFFECT.has(code) || (status >= 300 && status < 400);

/** Reads a failed activity. */
export function callFailureOf({ cause: given, retryState }: ActivityFailure): CallFailure {
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

/** The provider's own code where it gave one. */
export const refusalIn = ({ code, providerCodes, title, advice, retryAfterMs }: CallFailure): Refusal => ({
  code: providerCodes[0] ?? code,
  title: title === undefined ? undefined : shortened(title),
  next: advice,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
