// Maps the refusals of workflows to problems.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { Refused } from '../../../workflows/agreement/contract.js';
import { ApiError, type Judgement } from '../../http/problems/errors.js';
import { keyConflict } from '../../http/idempotency.js';
import { isProblemCode, type ProblemCode } from '../../http/problems/codes.js';

/** Codes with a different problem code. All other known codes are problem codes themselves. */
const PROBLEM_OF: ReadonlyMap<string, ProblemCode> = new Map<string, ProblemCode>([
  ['payment_uid_conflict', 'idempotency_conflict'],
  ['refund_uid_conflict', 'idempotency_conflict'],
  ['forbidden', 'consent_lacks_scope'],
  ['no_plan', 'not_found'],
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
const judgementOf = ({ code, limit, met = null, passesFrom = null }: Refused): Judgement | undefined =>
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
