import type { Context } from 'hono';
import type { z } from 'zod';
import { CreateBatch, IdentifyAgreements } from '../../../domain/batch/request.schema.js';
import { BatchAnswer, batchAnswer } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { keyUse, uidFrom } from '../../http/idempotency.js';
import { BatchQuery, IdempotencyHeaders } from '../../http/parameters.schema.js';
import type { BatchStart } from '../../gateway/batches.js';
import { isBatchOver, watched } from '../../http/wait.js';
import { requestedIdentification, requestedRow } from './requested-row.js';

/** Ten thousand identifications, or a thousand agreements with all that they may say, fit. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

const STARTED = {
  method: 'post',
  access: 'write',
  connection: 'body',
  maxBodyBytes: MAX_BODY_BYTES,
  problems: [409, 422, 503],
} as const;
const ACCEPTED = json('Accepted, now or before; its rows get their answers later.', BatchAnswer);

const ofBatch = contract({
  ...STARTED,
  tags: ['batches'],
  path: '/v1/batches',
  operationId: 'createBatch',
  summary: 'Start up to 1,000 agreements, or take up to 1,000 payments, as one; each row has its own answer',
  description:
    'A row without a usable uid, or with the uid of another, has the whole request refused. Whatever else is wrong with a row is its own ' +
    'answer, and the others go on. With `dry_run` rows are judged one by one, each as things stand, and none is started: a batch of its own.',
  request: { query: BatchQuery, headers: IdempotencyHeaders, body: bodyOf(CreateBatch) },
  answers: { 202: ACCEPTED },
});

export const createBatch = endpoint(ofBatch, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const rows = body.rows.map((row) => requestedRow(dependencies, body.kind, row));
  return c.json(await started(dependencies, c, { kind: body.kind, rows, body }), 202);
});

const ofIdentifications = contract({
  ...STARTED,
  tags: ['batches'],
  path: '/v1/identifications',
  operationId: 'identifyAgreements',
  summary: 'Add to up to 10,000 agreements the client that initiates them, or the debtor’s payment account',
  description:
    'A batch, read as every other. Each identifier is added once, however often the request comes. With `dry_run` it says of each ' +
    'agreement which of the provider’s five rules would refuse it, as far as is known here: a batch of its own.',
  request: { query: BatchQuery, headers: IdempotencyHeaders, body: bodyOf(IdentifyAgreements) },
  answers: { 202: ACCEPTED },
});

export const identifyAgreements = endpoint(ofIdentifications, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const rows = body.rows.map((row) => requestedIdentification(dependencies, body, row));
  return c.json(await started(dependencies, c, { kind: 'identifications', rows, body }), 202);
});

type Requested = Pick<BatchStart, 'kind' | 'rows'> & { body: CreateBatch | IdentifyAgreements };
type StartContext = Context<
  Env,
  string,
  { out: { query: z.output<typeof BatchQuery>; header: z.output<typeof IdempotencyHeaders> } }
>;

async function started(dependencies: ApiDependencies, c: StartContext, { body, ...requested }: Requested) {
  const { temporal, temporalUi, clock } = dependencies;
  const { wait: seconds, dry_run: isDryRun } = c.req.valid('query');
  const key = c.req.valid('header')['Idempotency-Key'];
  const by = c.get('principal');
  const id = body.id ?? uidFrom('batch', { principal: by, key, of: c.req.path });
  // An id that is derived from the key binds it by itself.
  const use = body.id === undefined ? undefined : keyUse(c, key, { uid: id, body });
  const { connection } = body;
  const start = { ...requested, id, connection, isDryRun, use, by };
  const first = await temporal.batches.start(start);
  const read = () => temporal.batches.view(id);
  const watch = { read, isOver: isBatchOver, seconds, signal: c.req.raw.signal, clock };
  return { data: batchAnswer(temporalUi, await watched(first, watch)) };
}
