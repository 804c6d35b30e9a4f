// The provider's refusals, in its own shape of errors, and the business rules that lead to them.
import type { z } from 'zod';
import { TITLES, type ErrorCode } from './error-codes.js';

export type { ErrorCode } from './error-codes.js';

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
  ) {
    super(sentence ?? errors.map(sentenceOf).join('; '));
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

/** A business or schema rule is broken: 422 with its code. */
export function refuseByCode(code: ErrorCode, detail: string, resourceUid?: string): Refusal {
  const item: ErrorItem = { code, title: TITLES[code], detail };
  return new Refusal(422, [
    resourceUid === undefined ? item : { ...item, meta: { resource_uid: resourceUid } },
  ]);
}

/** What the schema makes of it. @throws Refusal for what is wrong with it, as `refusalFrom` says. */
export function parseOrRefuse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusalFrom(parsed.error);
}

/** An unknown field is 400 and named; anything else about the fields is 422. */
export function refusalFrom(error: z.ZodError): Refusal {
  const unknown = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );
  if (unknown.length > 0) {
    return refuse(400, 'Validation Failed', `Unknown field: ${unknown.join(', ')}`);
  }
  return new Refusal(
    422,
    error.issues.map(({ path, message }) => ({
      code: 'ZPUNP00',
      title: TITLES.ZPUNP00,
      detail: `${path.join('.') || 'body'}: ${message}`,
    })),
  );
}

// What a business rule is, here and for refunds: a code of the provider's, and what is wrong where it is broken.
export interface Rule<Case> {
  code: ErrorCode;
  /** What is wrong, or undefined when nothing is. */
  broken: (it: Case) => string | undefined;
}

export const when = (isBroken: boolean, detail: string): string | undefined =>
  isBroken ? detail : undefined;

/** @throws Refusal 422 with the code of the first rule that is broken. */
export function enforce<Case>(rules: readonly Rule<Case>[], it: Case, resourceUid: string): void {
  for (const { code, broken } of rules) {
    const detail = broken(it);
    if (detail !== undefined) throw refuseByCode(code, detail, resourceUid);
  }
}
