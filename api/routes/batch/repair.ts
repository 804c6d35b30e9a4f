// Repairs of many resources that exist: the request has a filter, and the server finds the rows.
import type { Context } from 'hono';
import type { z } from 'zod';
import { ResolveFlags, RetryPayments } from '../../../domain/batch/request.schema.js';
import { addDays } from '../../../domain/time/calendar.js';
import { startOfSydneyDay } from '../../../domain/time/sydney.js';
import type { RequestedRow } from '../../../domain/batch/rows.js';
import type { BatchStart } from '../../gateway/batches.js';
import type { FailedFilter } from '../../gateway/repair-rows.js';
import { approvedRequest, namesOf } from '../../http/approval.js';
import { callerOf } from '../../http/caller.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { digestOf, keyUse, uidFrom } from '../../http/idempotency.js';
import { ApprovalHeaders, BatchQuery, IdempotencyHeaders } from '../../http/parameters.schema.js';
import { answerInTime } from '../resource.js';
import { BATCH } from './answer.schema.js';

const SHARED = {
  method: 'post',
  connection: 'body',
  task: 'operating.md#repair-in-bulk',
  answers: {
    202: json(
      'Accepted. `counts` and `amounts` show how many rows, and how much money, have each outcome.',
      BATCH.one,
    ),
  },
  problems: [409, 410, 422, 503],
} as const;

const ONCE =
  'The records decide once which rows the batch has, up to 10,000; if the filter matches more, the request is refused. ' +
  'Each row is carried out like a single request, at most once, and only if nothing has changed since. With `dry_run`, nothing is changed: read the counts, the amounts, and ' +
  'with `GET /v1/batches/{uid}/rows` each row, and why it would be refused. A dry run is a separate batch, so give it another `id`. Pause, resume or abandon it like any batch. Listen for `batch.completed`. ' +
  'A repeat with the same `id` or `Idempotency-Key` and the same body is the same batch with the same rows.';

const ofRetries = contract({
  ...SHARED,
  tags: ['batches'],
  access: 'write',
  path: '/v1/retries',
  operationId: 'retryPayments',
  summary: 'Create a batch that retries the failed payments that match a filter (idempotent)',
  description: `Use this after an incident at a bank, or if many payments have failed with one code. ${ONCE}`,
  request: { query: BatchQuery, headers: IdempotencyHeaders, body: bodyOf(RetryPayments) },
});

export const retryPayments = endpoint(ofRetries, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const { reason, filter, connection, id } = body;
  const { find } = dependencies.temporal.batches;
  const found = () => find.retries({ ...failedIn(filter), connection });
  const requested = { kind: 'retries', id, connection, body, repair: { reason, filter } } as const;
  return c.json(await started(dependencies, c, requested, found), 202);
});

const failedIn = ({
  failure_code: code,
  failed_on: day,
  failed_from: from,
  failed_until: until,
  agreement_uid: agreement,
}: z.output<typeof RetryPayments>['filter']): FailedFilter => ({
  ...{ code, agreement },
  entered:
    day === undefined
      ? { from, until }
      : { from: startOfSydneyDay(day), until: startOfSydneyDay(addDays(day, 1)) },
});

const RESOLVE_FLAGS = 'resolveFlags';

const ofResolutions = contract({
  ...SHARED,
  tags: ['batches'],
  access: 'operate',
  path: '/v1/resolutions',
  operationId: RESOLVE_FLAGS,
  summary: 'Create a batch that resolves a flag of all resources that match a filter (idempotent)',
  description:
    `Use this if one cause has flagged many resources. ${ONCE} ` +
    'With `DUAL_CONTROL=on`, another principal must approve the flag `parked` of payments or refunds first, except for a dry run. The approval covers the rows that were found.',
  request: {
    query: BatchQuery,
    headers: IdempotencyHeaders.extend(ApprovalHeaders.shape),
    body: bodyOf(ResolveFlags),
  },
  problems: [403, ...SHARED.problems],
});

export const resolveFlags = endpoint(ofResolutions, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const { reason, filter, decision, connection, id } = body;
  const { flag, resource } = filter;
  const { find } = dependencies.temporal.batches;
  const found = () => find.resolutions({ flag, resource, connection });
  const repair = { reason, filter, flag, ...(decision !== undefined && { decision }) };
  const mayPay = resource === undefined || resource === 'payment' || resource === 'refund';
  const needsApproval = flag === 'parked' && mayPay;
  const requested = { kind: 'resolutions', id, connection, body, repair } as const;
  return c.json(
    await started(dependencies, c, requested, found, needsApproval ? RESOLVE_FLAGS : undefined),
    202,
  );
});

type StartContext = Context<
  Env,
  string,
  { out: { query: z.output<typeof BatchQuery>; header: z.output<typeof IdempotencyHeaders> } }
>;

interface Requested extends Pick<BatchStart, 'kind' | 'connection'> {
  id: string | undefined;
  body: object;
  repair: NonNullable<BatchStart['repair']>;
}

/** @param approved the operation that another principal must approve. A dry run and a repeat need no approval. */
async function started(
  dependencies: ApiDependencies,
  c: StartContext,
  { id: named, body, ...requested }: Requested,
  find: () => Promise<RequestedRow[]>,
  approved?: string,
) {
  const { batches } = dependencies.temporal;
  const { dry_run: isDryRun } = c.req.valid('query');
  const key = c.req.valid('header')['Idempotency-Key'];
  const caller = callerOf(c);
  const id = named ?? uidFrom('batch', { principal: caller.principal, key, of: c.req.path });
  const use = keyUse(c, key, { uid: named, body });
  const start = { ...requested, id, isDryRun, use, caller };
  c.set('audited', { batch: id, dry_run: isDryRun });
  const before = await batches.repaired(start);
  if (before !== undefined) return answerInTime(BATCH, dependencies, c, id, { first: before });
  const rows = await find();
  const isApproved = approved !== undefined && !isDryRun;
  const approval = isApproved
    ? await approvedRequest(c, dependencies, approved, () => Promise.resolve(digestOf(rows)))
    : undefined;
  const repair = { ...requested.repair, by: namesOf(caller.principal, approval) };
  const first = await batches.start({ ...start, repair, rows });
  return answerInTime(BATCH, dependencies, c, id, { first });
}
