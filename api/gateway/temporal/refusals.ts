// What a workflow's refusal, or a call of its own that failed, is to a caller: the problem for each code, in one table.
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

/** Codes that are answered under another name; any other is a problem's own code, or nothing that we know. */
const PROBLEM_OF: ReadonlyMap<string, ProblemCode> = new Map<string, ProblemCode>([
  ['payment_uid_conflict', 'idempotency_conflict'],
  ['refund_uid_conflict', 'idempotency_conflict'],
  ['forbidden', 'consent_lacks_scope'],
  ['no_plan', 'not_found'],
  ...HISTORY_REFUSALS.map((code): [string, ProblemCode] => [code, 'provider_refused']),
]);

/** The header is to blame for these, and not a field. */
const KEY_CONFLICTS: ReadonlySet<string> = new Set([
  'action_key_conflict',
  'resolution_key_conflict',
  'payment_key_conflict',
  'refund_key_conflict',
  'retry_key_conflict',
  'change_key_conflict',
  'onboarding_key_conflict',
]);

/** @param otherwise what a code that is not in the table, and no problem's own, is answered as. */
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

/** Why a workflow refused an update: the failure's type is the code, its first detail names the field, and the rule's limit where it has one. */
export function refusalIn(error: unknown): Refused | undefined {
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  const failure = error.cause;
  if (!(failure instanceof ApplicationFailure)) return undefined;
  const { data } = Details.safeParse(failure.details?.[0]);
  return { code: failure.type ?? 'unknown', detail: failure.message, ...data };
}

/** Of a refusal by the agreement's terms. */
export const judgementOf = ({
  code,
  limit,
  met = null,
  passesFrom = null,
}: Refused): Judgement | undefined =>
  limit === undefined ? undefined : { rule: code, limit, met, passes_from: passesFrom };

/** What is thrown for an update that failed: the refusal as a problem, and every other error as it is. */
export function refusedUpdate(error: unknown, otherwise: ProblemCode): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  if (KEY_CONFLICTS.has(refusal.code)) return keyConflict(error);
  return refusedBy(refusal, otherwise, error);
}

/** The same of a refusal that was only asked for. */
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

/** Why a run that reads the provider's history has no answer; undefined where that is nothing that a reading may end with. */
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
  const read = 'Older facts are read from the provider, ';
  const again = `Consent again: POST /v1/connections/${connectionId}/reauthorisation.`;
  const scope = requiredScope ?? 'one that the provider did not name';
  switch (problem) {
    case 'needs_reauthorisation':
      return `${read}and connection ${connectionId} has no consent at present. ${again}`;
    case 'consent_lacks_scope':
      return `${read}and the consent lacks a scope: ${scope}. ${again}`;
    case 'provider_refused':
      return 'The provider refused to answer its history of this agreement.';
    default:
      return `${read}which has not answered in time. Repeat the same request later.`;
  }
}

/** What the provider has decided, asking again changes nothing of. */
const upstreamOf = (
  { status, providerCodes: codes }: Evidence,
  problem: ProblemCode,
): Upstream | undefined =>
  status === undefined ? undefined : { status, codes, retryable: problem === 'provider_unavailable' };
