// A worker process of one task queue for bench/records/changes.ts. It answers each message with its status, until `stop`.
// Usage: node --import tsx bench/records/worker.ts <storing | ignoring>, with the environment of a worker.
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker, type InjectedSinks } from '@temporalio/worker';
import { getEachMessage, sendMessage } from 'execa';
import { openRecordWriter } from '../../records/write.js';
import { dataConverterFor } from '../../sealing/data-converter.js';
import { settingsOrStop } from '../../settings/read.js';
import { readConfig } from '../../worker/config.js';
import { recordSinks } from '../../worker/record-sink.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { workflowCode } from '../../worker/workflow-code.js';
import type { RecordSinks } from '../../workflows/contracts/every-workflow.js';
import type { WorkerStatus } from './changes.js';

const IGNORING: InjectedSinks<RecordSinks> = { records: { store: { fn: () => undefined } } };

const config = settingsOrStop('worker', readConfig);
const { namespace, connectionOptions } = config.temporal;
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect(connectionOptions.reveal());
const dataConverter = dataConverterFor({ keyring: config.ENCRYPTION_KEYS, namespace });
const client = new Client({ connection, namespace, dataConverter });
await ensureSearchAttributes(client);
const writer = openRecordWriter(config.RECORDS_URL, config.ENCRYPTION_KEYS);
const worker = await Worker.create({
  ...{ connection, namespace, dataConverter, taskQueue: config.TASK_QUEUE },
  workflowBundle: await workflowCode(),
  sinks: process.argv[2] === 'storing' ? recordSinks(writer, client) : IGNORING,
});
await worker.runUntil(answer);
await connection.close();
await writer.close();

async function answer(): Promise<void> {
  await sendMessage('ready');
  for await (const message of getEachMessage()) {
    if (message === 'stop') return;
    await sendMessage(statusNow());
  }
}

function statusNow(): WorkerStatus {
  const { user, system } = process.cpuUsage();
  const { numCachedWorkflows: cached, numInFlightWorkflowActivations: active } = worker.getStatus();
  return { cpuMs: (user + system) / 1000, cached, active };
}
