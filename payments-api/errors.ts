// The one error of the provider client: a code to match, and the evidence.
// Its message and enumerable fields never contain a token, a secret, a body, a name or an account number.
import { errorRow, type ErrorRow } from './error-table.js';
import type { PaymentsApiErrorCode } from '../domain/provider/call-codes.js';
import type { Meaning } from '../domain/provider/error-meaning.js';

/** One entry of the provider's `errors` (docs/provider.md#errors). `detail` may contain personal data: show it to the caller, do not log it. */
export interface ProviderProblem {
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  /** Whether the provider states that a retry may help. Only account validation sets it. */
  retryable?: boolean | undefined;
  /** The resource that the error is about, from `meta`. */
  resourceUid?: string | undefined;
}

/** A provider code with its row in the error table. */
export interface Refusal extends ErrorRow {
  code: string;
}

export interface Evidence {
  /** The HTTP status, if there was an answer. */
  status?: number | undefined;
  problems?: readonly ProviderProblem[] | undefined;
  /** Milliseconds to wait, counted from the provider's answer (Retry-After) or from the refusal by our own rate limit. */
  retryAfterMs?: number | undefined;
  requiredScope?: string | undefined;
  lacksScope?: boolean | undefined;
  requestId?: string | undefined;
  /** The uid beside the errors, as in a 404 of account validation (docs/provider.md#errors). */
  resourceUid?: string | undefined;
  cause?: unknown;
}

export class PaymentsApiError extends Error {
  override readonly name = 'PaymentsApiError';
  readonly code: PaymentsApiErrorCode;
  readonly status?: number | undefined;
  /** The provider's codes (`ZPAGR00`) or OAuth's (`invalid_scope`), without duplicates, in the order received. */
  readonly providerCodes: string[];
  readonly retryAfterMs?: number | undefined;
  /** The scope in `WWW-Authenticate` on a 403 (docs/provider.md#authentication). */
  readonly requiredScope?: string | undefined;
  /** True for a 403 with `insufficient_scope`. A 403 without it may have another cause, and may be temporary. */
  readonly lacksScope?: boolean | undefined;
  /** The provider's `x-request-id`, for its support team. */
  readonly requestId?: string | undefined;
  /** The uid under which the provider stored the refused request (docs/provider.md#errors). */
  readonly resourceUid?: string | undefined;
  readonly #problems: ProviderProblem[];

  /** @param message the operation, what was expected and what was received. See the top of this file for what it must not contain. */
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

  /** The provider's errors, for the caller. This is a getter, so that loggers do not copy it. */
  get problems(): ProviderProblem[] {
    return this.#problems;
  }

  /** The provider's codes that the error table knows, with their rows, in the order received. */
  get refusals(): Refusal[] {
    return this.providerCodes.flatMap((code) => {
      const row = errorRow(code);
      return row === undefined ? [] : { code, ...row };
    });
  }

  /** The meaning of the first known code; undefined if none is known. */
  get means(): Meaning | undefined {
    return this.refusals[0]?.means;
  }

  /** Advice for a person on the first known code. */
  get advice(): string | undefined {
    return this.refusals[0]?.advice;
  }
}

/** Milliseconds to wait if our own rate limit refused the call; otherwise undefined. The provider never saw the call. */
export function throttledMs(error: unknown): number | undefined {
  const isLocal =
    error instanceof PaymentsApiError && error.code === 'rate_limited' && error.status === undefined;
  return isLocal ? error.retryAfterMs : undefined;
}
