import { setImmediate } from 'node:timers/promises';
import type { Context } from 'hono';
import type { z } from 'zod';
import { CreateBatch, IdentifyAgreements } from '../../../domain/batch/request.schema.js';
import { BATCH } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { callerOf } from '../../http/caller.js';
import { keyUse, uidFrom } from '../../http/idempotency.js';
import { BatchQuery, IdempotencyHeaders } from '../../http/parameters.schema.js';
import type { RequestedRow } from '../../../domain/batch/rows.js';
import type { BatchStart } from '../../gateway/batches.js';
import { answerInTime } from '../resource.js';
import { requestedIdentification, requestedRow } from './requested-row.js';

/** Fits ten thousand identifications, or a thousand agreements with all their fields. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

const STARTED = {
  method: 'post',
  access: 'write',
  connection: 'body',
  maxBodyBytes: MAX_BODY_BYTES,
  problems: [409, 410, 422, 503],
} as const;
const ACCEPTED = json(
  'Accepted. Rows get their outcomes later, and `counts` shows how many have each.',
  BATCH.one,
);

const ofBatch = contract({
  ...STARTED,
  tags: ['batches'],
  path: '/v1/batches',
  operationId: 'createBatch',
  summary: 'Create a batch of up to 1,000 agreements or payments (idempotent)',
  description:
    'Use this to send many agreements or payments in one request, for example those of a billing run. Each row behaves like a single request under its own uid. The body may have up to 100,000 JSON values. Each row has its own outcome, and an invalid row does not affect the others. The whole request is refused only ' +
    'if a uid is invalid or repeated, a number is too large, or the body itself is wrong. With `dry_run`, each row is judged by the current state and nothing is started. A dry run is a ' +
    'separate batch. Listen for `batch.completed`, or read `GET /v1/batches/{uid}`, and then the refused rows with `GET /v1/batches/{uid}/rows`. ' +
    'A repeat with the same `id` or `Idempotency-Key` and the same body starts no row twice, and completes an interrupted upload.',
  task: 'operating.md#submit-a-batch',
  request: { query: BatchQuery, headers: IdempotencyHeaders, body: bodyOf(CreateBatch) },
  answers: { 202: ACCEPTED },
});

export const createBatch = endpoint(ofBatch, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const rows = await inSlices(body.rows, (row) => requestedRow(dependencies, body.kind, row));
  return c.json(await started(dependencies, c, { kind: body.kind, rows, body }), 202);
});

const ofIdentifications = contract({
  ...STARTED,
  tags: ['batches'],
  path: '/v1/identifications',
  operationId: 'identifyAgreements',
  summary: 'Create a batch that adds clients or payment accounts to up to 10,000 agreements (idempotent)',
  description:
    'Adds the initiating client, the debtor’s payment account, or both. Each identifier is added once, even if the request is repeated. ' +
    'With `dry_run`, each row shows which of the provider’s five rules would refuse it, as far as the records show. A dry run is a separate batch, so give it another `id`. ' +
    'Listen for `batch.completed`, or read `GET /v1/batches/{uid}` and its rows.',
  task: 'onboarding.md#identify-agreements-in-bulk',
  request: { query: BatchQuery, headers: IdempotencyHeaders, body: bodyOf(IdentifyAgreements) },
  answers: { 202: ACCEPTED },
});

export const identifyAgreements = endpoint(ofIdentifications, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const rows = await inSlices(body.rows, (row) => requestedIdentification(dependencies, body, row));
  return c.json(await started(dependencies, c, { kind: 'identifications', rows, body }), 202);
});

const SLICE = 50;

/** Serves other requests after each slice, because to refuse a thousand invalid rows takes half a second. */
async function inSlices<Row>(
  rows: readonly Row[],
  read: (row: Row) => RequestedRow,
): Promise<RequestedRow[]> {
  const requested: RequestedRow[] = [];
  for (let first = 0; first < rows.length; first += SLICE) {
    if (first > 0) await setImmediate();
    requested.push(...rows.slice(first, first + SLICE).map(read));
  }
  return requested;
}

type Requested = Pick<BatchStart, 'kind' | 'rows'> & { body: CreateBatch | IdentifyAgreements };
type StartContext = Context<
  Env,
  string,
  { out: { query: z.output<typeof BatchQuery>; header: z.output<typeof IdempotencyHeaders> } }
>;

async function started(dependencies: ApiDependencies, c: StartContext, { body, ...requested }: Requested) {
  const { dry_run: isDryRun } = c.req.valid('query');
  const key = c.req.valid('header')['Idempotency-Key'];
  const caller = callerOf(c);
  const { principal } = caller;
  const id = body.id ?? uidFrom('batch', { principal, key, of: c.req.path });
  const use = keyUse(c, key, { uid: body.id, body });
  const { connection } = body;
  const start = { ...requested, id, connection, isDryRun, use, caller };
  const first = await dependencies.temporal.batches.start(start);
  return answerInTime(BATCH, dependencies, c, id, { first });
}
