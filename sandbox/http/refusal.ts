// Refusals in the provider's error format, and the business rules that cause them.
import type { z } from 'zod';
import { DETAILS, TITLES, type ErrorCode, type FixedCode, type OpenCode } from './error-codes.js';

export type { ErrorCode, FixedCode, OpenCode } from './error-codes.js';

export interface ErrorItem {
  code?: ErrorCode;
  title: string;
  detail: string;
  meta?: { resource_uid?: string; resource_ref?: string };
  /** Only in account validations (docs/provider.md#errors). */
  retryable?: boolean;
}

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 503;

/** Thrown to refuse a call, and sent by `responses.ts`. Without errors the body is empty. */
export class Refusal extends Error {
  constructor(
    readonly status: RefusalStatus,
    readonly errors: ErrorItem[],
    readonly headers: Record<string, string> = {},
    /** Sent beside the errors: account validation returns the uid here. */
    readonly data?: object,
    /** Core resources send one sentence instead of a list of errors (docs/provider.md#errors). */
    readonly sentence?: string,
    message = sentence ?? errors.map(sentenceOf).join('; '),
  ) {
    super(message);
  }
}

const sentenceOf = ({ title, detail }: ErrorItem): string => `${title}: ${detail}`;

/** Refuses as core resources do (docs/provider.md#errors): one sentence without a code or title. */
export function refuseInASentence(status: RefusalStatus, sentence: string): Refusal {
  return new Refusal(status, [], {}, undefined, sentence);
}

export function refuse(status: RefusalStatus, title: string, detail: string): Refusal {
  return new Refusal(status, [{ title, detail }]);
}

/** A 404 without a body, as PayTo and client operations send it. Only our logs show the message. */
export function notFound(message: string): Refusal {
  return new Refusal(404, [], {}, undefined, undefined, message);
}

/** Refuses with 422 because a business rule is broken. The code has a fixed detail. */
export function refuseByCode(code: FixedCode, resourceUid?: string): Refusal {
  return refuseInDetail(code, DETAILS[code], resourceUid);
}

/** The same for a code whose detail depends on the case. */
export function refuseInDetail(code: ErrorCode, detail: string, resourceUid?: string): Refusal {
  const item: ErrorItem = { code, title: TITLES[code], detail };
  return new Refusal(422, [
    resourceUid === undefined ? item : { ...item, meta: { resource_uid: resourceUid } },
  ]);
}

/** The status for schema errors of agreement actions and of operations outside PayTo. They have no code. */
export type PlainStatus = 400 | 422;

/**
 * Parses the value, or throws a refusal.
 * @param plain the status for all schema errors. If absent, `refusalFrom` decides.
 */
export function parseOrRefuse<Value>(schema: z.ZodType<Value>, value: unknown, plain?: PlainStatus): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusalFrom(parsed.error, plain);
}

/** PayTo refuses an unknown field with 400 and names it. All other field errors are 422 ZPUNP00. */
export function refusalFrom(error: z.ZodError, plain?: PlainStatus): Refusal {
  const unknown = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );
  if (unknown.length > 0) {
    const fields = unknown.map((field) => `\`${field}\``).join(', ');
    return refuse(plain ?? 400, 'Validation Failed', `The value for ${fields} is not allowed`);
  }
  const details = error.issues.map(sentenceOfIssue);
  if (plain !== undefined) {
    return new Refusal(
      plain,
      details.map((detail) => ({ title: 'Validation Failed', detail })),
    );
  }
  return new Refusal(
    422,
    details.map((detail) => ({ code: 'ZPUNP00', title: TITLES.ZPUNP00, detail })),
  );
}

function sentenceOfIssue({ path, message }: z.core.$ZodIssue): string {
  const isMissing = message.endsWith('received undefined');
  return `${['params', ...path].join('.')} ${isMissing ? 'is missing' : message}`;
}

// A business rule: a code of the provider, and the condition that breaks it. If the code's detail depends on the case, the rule
// returns the detail when it is broken.
export type Rule<Case> =
  | { code: FixedCode; broken: (it: Case) => boolean }
  | { code: OpenCode; text: (it: Case) => string | undefined };

/** @throws Refusal 422 with the code of the first broken rule. */
export function enforce<Case>(rules: readonly Rule<Case>[], it: Case, resourceUid: string): void {
  for (const rule of rules) {
    if ('text' in rule) {
      const text = rule.text(it);
      if (text !== undefined) throw refuseInDetail(rule.code, text, resourceUid);
    } else if (rule.broken(it)) throw refuseByCode(rule.code, resourceUid);
  }
}
