// The provider's refusals, in its own shape of errors, and the business rules that lead to them.
import type { z } from 'zod';
import { DETAILS, TITLES, type ErrorCode, type FixedCode, type OpenCode } from './error-codes.js';

export type { ErrorCode, FixedCode, OpenCode } from './error-codes.js';

export interface ErrorItem {
  code?: ErrorCode;
  title: string;
  detail: string;
  meta?: { resource_uid?: string; resource_ref?: string };
  /** Of account validation alone (docs/provider.md#errors). */
  retryable?: boolean;
}

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 503;

/** Thrown wherever a call is refused; sent by the one exit in `responses.ts`. Without errors the body is empty. */
export class Refusal extends Error {
  constructor(
    readonly status: RefusalStatus,
    readonly errors: ErrorItem[],
    readonly headers: Record<string, string> = {},
    /** Stands beside the errors: account validation says by it which uid was meant. */
    readonly data?: object,
    /** What a core resource says in place of the list (docs/provider.md#errors). */
    readonly sentence?: string,
    message = sentence ?? errors.map(sentenceOf).join('; '),
  ) {
    super(message);
  }
}

const sentenceOf = ({ title, detail }: ErrorItem): string => `${title}: ${detail}`;

/** As core resources refuse (docs/provider.md#errors): one sentence, no code, no title. */
export function refuseInASentence(status: RefusalStatus, sentence: string): Refusal {
  return new Refusal(status, [], {}, undefined, sentence);
}

export function refuse(status: RefusalStatus, title: string, detail: string): Refusal {
  return new Refusal(status, [{ title, detail }]);
}

/** As PayTo and clients answer for what is not there: 404 and nothing else. The message is for our logs. */
export function notFound(message: string): Refusal {
  return new Refusal(404, [], {}, undefined, undefined, message);
}

/** A business rule is broken: 422 with its code, its title and its text. */
export function refuseByCode(code: FixedCode, resourceUid?: string): Refusal {
  return refuseInDetail(code, DETAILS[code], resourceUid);
}

/** The same for a code whose text depends on the case. */
export function refuseInDetail(code: ErrorCode, detail: string, resourceUid?: string): Refusal {
  const item: ErrorItem = { code, title: TITLES[code], detail };
  return new Refusal(422, [
    resourceUid === undefined ? item : { ...item, meta: { resource_uid: resourceUid } },
  ]);
}

/** How operations outside PayTo, and the actions on an agreement, refuse whatever breaks the schema: without a code. */
export type PlainStatus = 400 | 422;

/**
 * What the schema makes of it.
 * @param plain the status for whatever is wrong; without one it is refused as `refusalFrom` says.
 */
export function parseOrRefuse<Value>(schema: z.ZodType<Value>, value: unknown, plain?: PlainStatus): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusalFrom(parsed.error, plain);
}

/** As PayTo refuses: an unknown field is 400 and named; anything else about the fields is 422 ZPUNP00. */
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

// What a business rule is, here and for refunds: a code of the provider's, and when it is broken. Where the text of the
// code depends on the case, the rule says it when it is broken.
export type Rule<Case> =
  | { code: FixedCode; broken: (it: Case) => boolean }
  | { code: OpenCode; text: (it: Case) => string | undefined };

/** @throws Refusal 422 with the code of the first rule that is broken. */
export function enforce<Case>(rules: readonly Rule<Case>[], it: Case, resourceUid: string): void {
  for (const rule of rules) {
    if ('text' in rule) {
      const text = rule.text(it);
      if (text !== undefined) throw refuseInDetail(rule.code, text, resourceUid);
    } else if (rule.broken(it)) throw refuseByCode(rule.code, resourceUid);
  }
}
