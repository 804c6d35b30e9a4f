import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createBatchesGateway, type BatchStart } from '../../../api/gateway/batches.js';
import { createRecorded } from '../../../api/gateway/records.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import type { Activities } from '../../../activities/index.js';
import type { RequestedRow } from '../../../domain/batch/rows.js';

const temporal = useTemporal();
const MANY = 500;

const gatewayTo = (taskQueue: string) =>
  createBatchesGateway(
    createCalls({ client: temporal.client, taskQueue, recorded: createRecorded(RECORDS_AWAY) }),
    () => Promise.resolve('acme'),
  );
const aRow = (index: number, over: Partial<RequestedRow> = {}): RequestedRow => ({
  row: { kind: 'retries', uid: `pay-${index}`, attempt: 1, amount: 100 },
  refusals: [],
  ...over,
});
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => aRow(index));
const aRepair = (over: Partial<BatchStart> = {}): BatchStart => ({
  ...{ id: `rep-${randomUUID()}`, kind: 'retries', connection: 'acme', isDryRun: false },
  ...{ rows: rowsOf(3), repair: { reason: 'bank outage', filter: { failure_code: 'AM04' } } },
  caller: { principal: 'key-1', connections: undefined },
  ...over,
});
const untilDone = ({ view }: ReturnType<typeof gatewayTo>, id: string) =>
  eventually(
    () => view(id),
    (found) => found?.state === 'done',
  );

test(`the worker of a repair of ${MANY} rows is replaced, and each row is started once`, async () => {
  const taskQueue = `repair-${randomUUID()}`;
  const gateway = gatewayTo(taskQueue);
  const started: string[] = [];
  const startRows: Activities['startRows'] = ({ rows, repair }) => {
    expect(repair).toMatchObject({ reason: 'bank outage' });
    started.push(...rows.map(({ uid }) => uid));
    const at = new Date().toISOString();
    return Promise.resolve({ answers: rows.map(() => ({ outcome: 'done', at })) });
  };
  const repair = aRepair({ rows: rowsOf(MANY) });
  await temporal.run(
    { startRows },
    async () => {
      await gateway.start(repair);
      await eventually(() => started.length > MANY / 10, Boolean);
    },
    taskQueue,
  );
  const atStop = started.length;
  await temporal.run({ startRows }, () => untilDone(gateway, repair.id), taskQueue);
  expect(atStop).toBeLessThan(MANY);
  expect(started.sort()).toEqual(repair.rows.map(({ row }) => row.uid).sort());
});

test('a repeat is the same batch with its first rows, and another filter is refused', async () => {
  await temporal.run({}, async () => {
    const gateway = gatewayTo(temporal.taskQueue);
    const refusals = [{ code: 'retry_too_soon', pointer: '', detail: 'later' }];
    const tried = aRepair({ isDryRun: true, rows: [...rowsOf(2), aRow(2, { refusals })] });
    await gateway.start(tried);
    const view = await untilDone(gateway, tried.id);
    expect(view).toMatchObject({
      counts: { passes: 2, refused: 1 },
      amounts: { passes: 200, refused: 100 },
      repair: { reason: 'bank outage' },
    });
    const repeat = await gateway.start({ ...tried, rows: rowsOf(9) });
    expect(repeat.counts).toEqual(view?.counts);
    expect((await gateway.repaired(tried))?.counts).toEqual(view?.counts);
    const another = { ...tried, repair: { reason: 'bank outage', filter: { failure_code: 'AB01' } } };
    await expect(gateway.repaired(another)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });
});
