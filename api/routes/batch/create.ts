import type { Context } from 'hono';
import { CreateBatch, IdentifyAgreements } from '../../../domain/batch/request.schema.js';
import type { BatchRow } from '../../../domain/batch/rows.js';
import { faultOfSubmitBefore, handlingOf } from '../../../domain/payment/handling.js';
import type { Intended } from '../../../payments-api/requests/intended.js';
import { BatchAnswer, batchAnswer } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { batchIdFrom, keyUse, scopedKey } from '../../http/idempotency.js';
import { assertAllSendable } from '../provider-check.js';
import { BatchQuery, IdempotencyHeaders } from '../../http/parameters.schema.js';
import type { BatchStart } from '../../gateway/batches.js';
import { isBatchOver, watched } from '../../http/wait.js';

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
    'A row that is malformed, or has the uid of another, has the whole request refused. What only the agreement or the provider can ' +
    'judge is the row’s own answer. With `dry_run` rows are judged one by one, each as things stand, and none is begun: a batch of its own.',
  request: { query: BatchQuery, headers: IdempotencyHeaders, body: bodyOf(CreateBatch) },
  answers: { 202: ACCEPTED },
});

export const createBatch = endpoint(ofBatch, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const rows = rowsOf(body);
  const late = lateIn(body, dependencies);
  const { wait, dry_run: isDryRun } = c.req.valid('query');
  const key = c.req.valid('header')['Idempotency-Key'];
  const requested = { kind: body.kind, connection: body.connection, rows, isDryRun };
  return c.json(await started(dependencies, c, { ...requested, named: body.id, key, body, wait, late }), 202);
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
  const rows = body.rows.map(({ uid, initiator = body.initiator, debtor = body.debtor }) => ({
    kind: 'identifications' as const,
    uid,
    ask: { ...(initiator && { initiator }), ...(debtor && { debtor }) },
  }));
  const { wait, dry_run: isDryRun } = c.req.valid('query');
  const key = c.req.valid('header')['Idempotency-Key'];
  const requested = { kind: 'identifications' as const, connection: body.connection, rows, isDryRun };
  return c.json(
    await started(dependencies, c, { ...requested, named: body.id, key, body, wait, late: [] }),
    202,
  );
});

type Requested = Pick<BatchStart, 'kind' | 'connection' | 'rows' | 'isDryRun'> & {
  named: string | undefined;
  key: string | undefined;
  body: object;
  wait: number | undefined;
  /** Payments that could not be sent in their time. */
  late: { row: number; detail: string }[];
};

async function started(
  dependencies: ApiDependencies,
  c: Context<Env>,
  { named, key, body, wait: seconds, late, ...requested }: Requested,
) {
  const { temporal, temporalUi, clock } = dependencies;
  const id = named ?? batchIdFrom(key === undefined ? undefined : scopedKey(c, key));
  const isRepeat = async (): Promise<boolean> => (await temporal.batches.view(id)) !== undefined;
  await assertAllSendable(dependencies, requested.rows.map(intendedBy), late, isRepeat);
  // An id that is derived from the key binds it by itself.
  const use = named === undefined ? undefined : keyUse(c, key, { uid: id, body });
  const first = await temporal.batches.start({ ...requested, id, use, by: c.get('apiKeyId') });
  const read = () => temporal.batches.view(id);
  const watch = { read, isOver: isBatchOver, seconds, signal: c.req.raw.signal, clock };
  return { data: batchAnswer(temporalUi, await watched(first, watch)) };
}

function rowsOf(body: CreateBatch): BatchRow[] {
  if (body.kind === 'agreements')
    return body.rows.map(({ uid, connection: _, payer, ...mandate }) => ({
      kind: 'agreements',
      uid,
      mandate,
      ...(payer !== undefined && { payer }),
    }));
  return body.rows.map(({ uid, submit_before, retry, ...order }) => {
    const handling = handlingOf({ submit_before, retry });
    return { kind: 'payments', uid, order, ...(handling !== undefined && { handling }) };
  });
}

/** What is done at the provider for a row. */
function intendedBy(row: BatchRow): Intended {
  switch (row.kind) {
    case 'agreements':
      return { operation: 'createAgreement', request: { uid: row.uid, ...row.mandate } };
    case 'payments':
      return { operation: 'createPayment', request: { uid: row.uid, ...row.order } };
    case 'identifications':
      return { operation: 'addIdentification', request: row.ask };
  }
}

function lateIn(body: CreateBatch, { clock }: ApiDependencies): Requested['late'] {
  if (body.kind !== 'payments') return [];
  return body.rows.flatMap(({ submit_before: before }, row) => {
    const detail = faultOfSubmitBefore(before, clock.now());
    return detail === undefined ? [] : [{ row, detail }];
  });
}
