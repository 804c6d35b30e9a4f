// The one error of this room: why a call to the provider failed, as a code to match and the evidence beside it.
// Its message and enumerable fields never contain a token, a secret, a body, a name or an account number.
import { errorRow } from './error-table.js';
import type { PaymentsApiErrorCode } from '../domain/provider/call-codes.js';
import type { Meaning } from '../domain/provider/error-meaning.js';
import type { ErrorRow } from './error-table.js';

/** One entry of the provider's `errors` (docs/provider.md#errors). `detail` may hold personal data: for the caller, not for logs. */
export interface Problem {
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  /** Whether the provider itself says that asking again may help; only account validation does. */
  retryable?: boolean | undefined;
  /** What the complaint is about, where it says so (`meta`). */
  resourceUid?: string | undefined;
  resourceRef?: string | undefined;
}

/** One of the provider's codes with its row in the error table. */
export interface Refusal extends ErrorRow {
  code: string;
}

export interface Evidence {
  /** The HTTP status, where an answer came at all. */
  status?: number | undefined;
  problems?: readonly Problem[] | undefined;
  /** Milliseconds that the provider asks us to wait, counted from the answer. */
  retryAfterMs?: number | undefined;
  requiredScope?: string | undefined;
  lacksScope?: boolean | undefined;
  requestId?: string | undefined;
  /** The uid beside the errors, as account validation answers it under a 404 (docs/provider.md#errors). */
  resourceUid?: string | undefined;
  cause?: unknown;
}

export class PaymentsApiError extends Error {
  override readonly name = 'PaymentsApiError';
  readonly code: PaymentsApiErrorCode;
  readonly status?: number | undefined;
  /** The provider's codes (`ZPAGR00`), or OAuth's (`invalid_scope`); each once, in the order met. */
  readonly providerCodes: string[];
  readonly retryAfterMs?: number | undefined;
  /** The scope named by `WWW-Authenticate` on a 403 (docs/provider.md#authentication). */
  readonly requiredScope?: string | undefined;
  /** Of a 403: it said `insufficient_scope`. Without that word it may be anyone's, and pass. */
  readonly lacksScope?: boolean | undefined;
  /** The provider's `x-request-id`, for its support. */
  readonly requestId?: string | undefined;
  /** The uid under which the provider has kept what it refused (docs/provider.md#errors). */
  readonly resourceUid?: string | undefined;
  readonly #problems: Problem[];

  /** @param message says the operation, what was expected and what was met; see the head of this file. */
  constructor(code: PaymentsApiErrorCode, message: string, evidence: Evidence = {}) {
    super(message, evidence.cause === undefined ? {} : { cause: evidence.cause });
    this.code = code;
    this.status = evidence.status;
    this.#problems = [...(evidence.problems ?? [])];
    this.providerCodes = [...new Set(this.#problems.flatMap((problem) => problem.code ?? []))];
    this.retryAfterMs = evidence.retryAfterMs;
    this.requiredScope = evidence.requiredScope;
    this.lacksScope = evidence.lacksScope;
    this.requestId = evidence.requestId;
    this.resourceUid = evidence.resourceUid;
  }

  /** What the provider complained of, for the caller's answer. A getter, so that loggers do not copy it. */
  get problems(): Problem[] {
    return this.#problems;
  }

  /** The provider's codes that the error table knows, with their rows, in the order met. */
  get refusals(): Refusal[] {
    return this.providerCodes.flatMap((code) => {
      const row = errorRow(code);
      return row === undefined ? [] : { code, ...row };
    });
  }

  /** What the first known code means; nothing where none is known. */
  get means(): Meaning | undefined {
    return this.refusals[0]?.means;
  }

  /** What a person should do about the first known code. */
  get advice(): string | undefined {
    return this.refusals[0]?.advice;
  }
}

/** For how many milliseconds our own rate limit refused the call: the provider knows nothing of it. Else nothing. */
export function throttledMs(error: unknown): number | undefined {
  const isLocal =
    error instanceof PaymentsApiError && error.code === 'rate_limited' && error.status === undefined;
  return isLocal ? error.retryAfterMs : undefined;
}
