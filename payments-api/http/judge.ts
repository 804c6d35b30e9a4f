// What an answer means: its JSON, or the one error that says why not. Pure: the reply and the time are arguments.
import { PaymentsApiError } from '../errors.js';
import { isUid } from '../../domain/provider/uid.js';
import { WireErrors } from '../answers/wire.schema.js';
import { readJson } from '../answers/values.js';
import { retryAfterMs } from './headers.js';
import type { PaymentsApiErrorCode } from '../../domain/provider/call-codes.js';
import type { Problem } from '../errors.js';
import type { Reply } from './exchange.js';
import type { WireError } from '../answers/wire.schema.js';

const CODE_BY_STATUS: ReadonlyMap<number, PaymentsApiErrorCode> = new Map([
  [401, 'unauthorised'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [408, 'unavailable'], // the server timed out on our request: as unknown as our own time-out
  [409, 'conflict'],
  [425, 'unavailable'],
  [429, 'rate_limited'],
]);

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const SAFE_CODE = /^[\w.-]{1,64}$/;
const SCOPE = /(?:^|[\s,])scope="?([\w:.\- ]{1,200})/i;
const LACKS_SCOPE = /(?:^|[\s,])error="?insufficient_scope\b/i;
const PRINTABLE = /^[ -~]{1,200}$/;
const REF = /^[\w.~:-]{1,64}$/;
const MAX_TITLE = 100;
const MAX_PROBLEMS = 20;

/** Which code a status stands for; nothing for 2xx. A redirect is `malformed`: it is never followed. */
export function codeOfStatus(status: number): PaymentsApiErrorCode | undefined {
  if (status >= 200 && status < 300) return undefined;
  return (
    CODE_BY_STATUS.get(status) ?? (status >= 500 ? 'unavailable' : status >= 400 ? 'rejected' : 'malformed')
  );
}

/** What the answer of a success is to bring: JSON, JSON or nothing (a bare 202 or 204), or nothing that matters. */
export type Expected = 'json' | 'perhaps' | 'nothing';

/** What an operation calls a success; without a status, any 2xx is one. */
export interface Success {
  name: string;
  answer?: Expected | undefined;
  /** Where one 2xx alone will do. */
  status?: number | undefined;
}

/**
 * The JSON of a good answer; undefined where it needs none and has none.
 * @throws PaymentsApiError by status (docs/provider.md#errors); `malformed` when a good answer is not the one expected.
 */
export function judge({ name, answer = 'json', status }: Success, reply: Reply, nowMs: number): unknown {
  if (codeOfStatus(reply.status) !== undefined) throw failureOf(name, reply, nowMs);
  if (status !== undefined && reply.status !== status)
    throw malformed(name, `the status ${status}`, `${reply.status}`, reply.status);
  if (answer === 'nothing') return undefined;
  const json = jsonOf(reply);
  if (json !== undefined) return json.value;
  if (answer === 'perhaps') return undefined;
  throw malformed(name, 'a JSON body', 'none that can be read', reply.status);
}

/** What a bad answer amounts to, with all the evidence in it (docs/provider.md#authentication, #errors). */
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
  return new PaymentsApiError(code, `${operation}: expected 2xx; met ${status}${said && ` (${said})`}`, {
    status,
    problems,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs),
    requiredScope: scopeIn(challenge),
    lacksScope: challenge !== null && LACKS_SCOPE.test(challenge) ? true : undefined,
    requestId: requestId !== null && PRINTABLE.test(requestId) ? requestId : undefined,
    resourceUid,
  });
}

/** An answer that cannot be understood; for a write, its outcome is unknown. */
export function malformed(
  operation: string,
  expected: string,
  met: string,
  status?: number,
): PaymentsApiError {
  return new PaymentsApiError('malformed', `${operation}: expected ${expected}; met ${met}`, { status });
}

/** The answer's JSON, boxed; nothing when it does not say that it is JSON, or is not. */
export function jsonOf(reply: Reply): { value: unknown } | undefined {
  return JSON_TYPE.test(reply.headers.get('content-type') ?? '') ? readJson(reply.body) : undefined;
}

/** A code of the provider's, fit for logs and metrics; nothing when it is no code. */
export function safeCode(code: string | null | undefined): string | undefined {
  return code !== undefined && code !== null && SAFE_CODE.test(code) ? code : undefined;
}

function complaintsIn(reply: Reply): { problems: Problem[]; resourceUid: string | undefined } {
  const parsed = WireErrors.safeParse(jsonOf(reply)?.value);
  const { errors, data } = parsed.success ? parsed.data : {};
  const resourceUid = isUid(data?.uid) ? data.uid : undefined;
  if (typeof errors === 'string') return { problems: [{ detail: errors }], resourceUid };
  return { problems: (errors ?? []).slice(0, MAX_PROBLEMS).map(problemFrom), resourceUid };
}

function problemFrom({ code, title, detail, retryable, meta }: WireError): Problem {
  const { resource_uid: uid, resource_ref: ref } = meta ?? {};
  return {
    code: safeCode(code),
    title: title ?? undefined,
    detail: detail ?? undefined,
    retryable: retryable ?? undefined,
    resourceUid: isUid(uid) ? uid : undefined,
    resourceRef: typeof ref === 'string' && REF.test(ref) ? ref : undefined,
  };
}

function printable(title: string): string {
  return title.replace(/[^ -~]/g, ' ').slice(0, MAX_TITLE);
}

function scopeIn(challenge: string | null): string | undefined {
  return challenge === null ? undefined : SCOPE.exec(challenge)?.[1]?.trim();
}
