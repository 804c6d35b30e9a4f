// Maps the refusals and failures of workflows to problems.
import { WorkflowFailedError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { z } from 'zod';
import { HISTORY_REFUSALS } from '../../../domain/facts/timeline.js';
import type { Refused } from '../../../workflows/agreement/contract.js';
import { ApiError } from '../../http/problems/errors.js';
import type { Judgement, Upstream } from '../../http/problems/errors.js';
import { keyConflict } from '../../http/idempotency.js';
import { isProblemCode } from '../../http/problems/codes.js';
import type { ProblemCode } from '../../http/problems/codes.js';
import { workerUnavailable } from './calls.js';

/** Codes with a different problem code. All other known codes are problem codes themselves. */
const PROBLEM_OF: ReadonlyMap<string, ProblemCode> = new Map<string, ProblemCode>([
  ['payment_uid_conflict', 'idempotency_conflict'],
  ['refund_uid_conflict', 'idempotency_conflict'],
  ['forbidden', 'consent_lacks_scope'],
  ['no_plan', 'not_found'],
  ...HISTORY_REFUSALS.map((code): [string, ProblemCode] => [code, 'provider_refused']),
]);

/** Conflicts that the Idempotency-Key header causes, and not a field. */
const KEY_CONFLICTS: ReadonlySet<string> = new Set([
  'action_key_conflict',
  'resolution_key_conflict',
  'payment_key_conflict',
  'refund_key_conflict',
  'retry_key_conflict',
  'change_key_conflict',
  'onboarding_key_conflict',
]);

/** @param otherwise the problem for unknown codes. */
function problemOf(code: string, otherwise: ProblemCode): ProblemCode {
  return PROBLEM_OF.get(code) ?? (isProblemCode(code) ? code : otherwise);
}

const Limit = z.union([z.string(), z.number()]).nullable();
const Details = z.object({
  pointer: z.string().optional(),
  limit: Limit.optional(),
  met: Limit.optional(),
  passesFrom: z.string().nullable().optional(),
});

/** Why a workflow refused an update. The failure's type is the code; its first detail has the field and the rule's limit. */
export function refusalIn(error: unknown): Refused | undefined {
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  const failure = error.cause;
  if (!(failure instanceof ApplicationFailure)) return undefined;
  const { data } = Details.safeParse(failure.details?.[0]);
  return { code: failure.type ?? 'unknown', detail: failure.message, ...data };
}

/** The judgement of a refusal by the agreement's terms. */
export const judgementOf = ({
  code,
  limit,
  met = null,
  passesFrom = null,
}: Refused): Judgement | undefined =>
  limit === undefined ? undefined : { rule: code, limit, met, passes_from: passesFrom };

/** Converts a refused update into a problem, and returns all other errors unchanged. */
export function refusedUpdate(error: unknown, otherwise: ProblemCode): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  if (KEY_CONFLICTS.has(refusal.code)) return keyConflict(error);
  return refusedBy(refusal, otherwise, error);
}

/** Converts a refusal into a problem. */
export function refusedBy(refusal: Refused, otherwise: ProblemCode, cause?: unknown): ApiError {
  const { code, detail, pointer } = refusal;
  const errors = pointer === undefined ? [] : [{ pointer, detail }];
  return new ApiError(problemOf(code, otherwise), detail, { errors, judgement: judgementOf(refusal), cause });
}

const Evidence = z.object({
  status: z.int().optional(),
  providerCodes: z.array(z.string()),
  requiredScope: z.string().optional(),
});
type Evidence = z.output<typeof Evidence>;

/** The problem for a failed run that reads the provider's history. Undefined for unexpected errors. */
export function refusedReading(error: unknown, connectionId: string): ApiError | undefined {
  if (!(error instanceof WorkflowFailedError)) return undefined;
  if (error.cause instanceof TimeoutFailure) return workerUnavailable(error);
  if (!(error.cause instanceof ApplicationFailure)) return undefined;
  const { type, details } = error.cause;
  const { data } = Evidence.safeParse(details?.[0]);
  if (typeof type !== 'string' || data === undefined) return undefined;
  const problem = problemOf(type, 'provider_unavailable');
  const upstream = upstreamOf(data, problem);
  return new ApiError(problem, readingDetail(problem, data, connectionId), { upstream, cause: error });
}

function readingDetail(problem: ProblemCode, { requiredScope }: Evidence, connectionId: string): string {
  const read = 'Older facts are only at the provider, ';
  const again = `Have the merchant consent again: POST /v1/connections/${connectionId}/reauthorisation.`;
  const scope = requiredScope ?? 'the provider did not name it';
  switch (problem) {
    case 'needs_reauthorisation':
      return `${read}but connection ${connectionId} has no valid consent. ${again}`;
    case 'consent_lacks_scope':
      return `${read}but the consent lacks a scope (${scope}). ${again}`;
    case 'provider_refused':
      return 'The provider refused to return its history of this agreement. See `upstream`.';
    default:
      return `${read}which did not answer in time. Repeat the same request later.`;
  }
}

/** A refusal by the provider is final, so only an unavailable provider is worth a retry. */
const upstreamOf = (
  { status, providerCodes: codes }: Evidence,
  problem: ProblemCode,
): Upstream | undefined =>
  status === undefined ? undefined : { status, codes, retryable: problem === 'provider_unavailable' };
