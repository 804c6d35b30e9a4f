// A separate process: the worker of the comparisons. Its parent names the candidates in the first message, and receives each state
// as soon as a reader could find it. It ends when its parent does.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  bundleWorkflowCode,
  type InjectedSinks,
} from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH, dataConverterFor } from '../../sealing/data-converter.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { createTable, noDuties, withDuties, type Report } from './activities.js';
import type { ReportSinks } from './workflows/index.js';
import { TASK_QUEUE, type ComparisonPlan } from './comparison-messages.js';

const MOST_CONNECTIONS = 10;

const plan = await new Promise<ComparisonPlan>((resolve) => process.once('message', resolve));
const report: Report = (uid, state) => void process.send?.({ uid, state });
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address: plan.temporalAddress });
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: new URL('./workflows/index.ts', import.meta.url).pathname,
  failureConverterPath: FAILURE_CONVERTER_PATH,
  logger: new DefaultLogger('ERROR'),
});
const sinks: InjectedSinks<ReportSinks> = {
  report: { state: { fn: (_, uid, state) => report(uid, state) } },
};
const databases: Kysely<Record<string, never>>[] = [];
const workers = await Promise.all(plan.names.map(workerOf));
process.once('disconnect', () => workers.forEach((worker) => worker.shutdown()));
process.send?.('ready');
await Promise.all(workers.map((worker) => worker.run()));
await connection.close();
await Promise.all(databases.map((db) => db.destroy()));

async function workerOf(name: ComparisonPlan['names'][number]): Promise<Worker> {
  const common = { connection, namespace: name, taskQueue: TASK_QUEUE, workflowBundle, sinks };
  if (name !== 'duties') return Worker.create({ ...common, activities: noDuties(report) });
  const { databaseUrl, sandboxUrl, accessToken, encryptionKey } = plan.duties;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: MOST_CONNECTIONS });
  const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) });
  databases.push(db);
  await createTable(db);
  return Worker.create({
    ...common,
    activities: withDuties({ sandboxUrl, accessToken, db }, report),
    dataConverter: dataConverterFor({ keyring: parseKeyring(encryptionKey), namespace: name }),
  });
}
