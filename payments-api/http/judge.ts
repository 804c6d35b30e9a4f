// Judges an answer: returns its JSON, or throws an error that states the cause. Pure: the time is an argument.
import { PaymentsApiError, type ProviderProblem } from '../errors.js';
import { isUid } from '../../domain/provider/uid.js';
import { WireErrors, type WireError } from '../answers/wire.schema.js';
import { readJson } from '../answers/values.js';
import { retryAfterMs } from './headers.js';
import type { PaymentsApiErrorCode } from '../../domain/provider/call-codes.js';
import type { Reply } from './exchange.js';

const CODE_BY_STATUS: ReadonlyMap<number, PaymentsApiErrorCode> = new Map([
  [401, 'unauthorised'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [408, 'unavailable'], // The server timed out on our request; the outcome is as unknown as after our own timeout.
  [409, 'conflict'],
  [425, 'unavailable'],
  [429, 'rate_limited'],
]);

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const SAFE_CODE = /^[\w.-]{1,64}$/;
const SCOPE = /(?:^|[\s,])scope="?([\w:.\- ]{1,200})/i;
const LACKS_SCOPE = /(?:^|[\s,])error="?insufficient_scope\b/i;
const PRINTABLE = /^[ -~]{1,200}$/;
const MAX_TITLE = 100;
const MAX_PROBLEMS = 20;

/** The error code for a status; undefined for 2xx. A redirect is `malformed`, because we never follow one. */
export function codeOfStatus(status: number): PaymentsApiErrorCode | undefined {
  if (status >= 200 && status < 300) return undefined;
  return (
    CODE_BY_STATUS.get(status) ?? (status >= 500 ? 'unavailable' : status >= 400 ? 'rejected' : 'malformed')
  );
}

/** The body that a success must have: JSON, JSON or none (a bare 202 or 204), or any. */
export type Expected = 'json' | 'perhaps' | 'nothing';

/** The definition of success for an operation. Without a status, any 2xx counts. */
export interface Success {
  name: string;
  answer?: Expected | undefined;
  /** Set if only one 2xx status counts. */
  status?: number | undefined;
}

/**
 * The JSON of a successful answer; undefined if the operation needs none and there is none.
 * @throws PaymentsApiError by status (docs/provider.md#errors); `malformed` for a successful answer of the wrong kind.
 */
export function judge({ name, answer = 'json', status }: Success, reply: Reply, nowMs: number): unknown {
  if (codeOfStatus(reply.status) !== undefined) throw failureOf(name, reply, nowMs);
  if (status !== undefined && reply.status !== status)
    throw malformed(name, `the status ${status}`, `${reply.status}`, reply.status);
  if (answer === 'nothing') return undefined;
  const json = jsonOf(reply);
  if (json !== undefined) return json.value;
  if (answer === 'perhaps') return undefined;
  throw malformed(name, 'a JSON body', 'none, or an unreadable one', reply.status);
}

/** The error for a failed answer, with all its evidence (docs/provider.md#authentication, #errors). */
export function failureOf(operation: string, reply: Reply, nowMs: number): PaymentsApiError {
  const { status, headers } = reply;
  const { problems, resourceUid } = complaintsIn(reply);
  const titles = problems.map(({ code, title }) =>
    [code, title && printable(title)].filter(Boolean).join(' '),
  );
  const said = titles.filter((text) => text !== '').join('; ');
  const code = codeOfStatus(status) ?? 'malformed';
  const requestId = headers.get('x-request-id');
  const challenge = status === 403 ? headers.get('www-authenticate') : null;
  return new PaymentsApiError(code, `${operation}: expected 2xx; received ${status}${said && ` (${said})`}`, {
    status,
    problems,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs),
    requiredScope: scopeIn(challenge),
    lacksScope: challenge !== null && LACKS_SCOPE.test(challenge) ? true : undefined,
    requestId: requestId !== null && PRINTABLE.test(requestId) ? requestId : undefined,
    resourceUid,
  });
}

/** The error for an unintelligible answer. For a write, the outcome is unknown. */
export function malformed(
  operation: string,
  expected: string,
  met: string,
  status?: number,
): PaymentsApiError {
  return new PaymentsApiError('malformed', `${operation}: expected ${expected}; received ${met}`, { status });
}

/** The answer's JSON in a wrapper; undefined if the content type is not JSON or the body is invalid. */
function jsonOf(reply: Reply): { value: unknown } | undefined {
  return JSON_TYPE.test(reply.headers.get('content-type') ?? '') ? readJson(reply.body) : undefined;
}

/** A provider code that is safe for logs and metrics; undefined if it is not a code. */
export function safeCode(code: string | null | undefined): string | undefined {
  return code !== undefined && code !== null && SAFE_CODE.test(code) ? code : undefined;
}

function complaintsIn(reply: Reply): { problems: ProviderProblem[]; resourceUid: string | undefined } {
  const parsed = WireErrors.safeParse(jsonOf(reply)?.value);
  const { errors, data } = parsed.success ? parsed.data : {};
  const resourceUid = isUid(data?.uid) ? data.uid : undefined;
  if (typeof errors === 'string') return { problems: [{ detail: errors }], resourceUid };
  return { problems: (errors ?? []).slice(0, MAX_PROBLEMS).map(problemFrom), resourceUid };
}

function problemFrom({ code, title, detail, retryable, meta }: WireError): ProviderProblem {
  const uid = meta?.resource_uid;
  return {
    code: safeCode(code),
    title: title ?? undefined,
    detail: detail ?? undefined,
    retryable: retryable ?? undefined,
    resourceUid: isUid(uid) ? uid : undefined,
  };
}

function printable(title: string): string {
  return title.replace(/[^ -~]/g, ' ').slice(0, MAX_TITLE);
}

function scopeIn(challenge: string | null): string | undefined {
  return challenge === null ? undefined : SCOPE.exec(challenge)?.[1]?.trim();
}
