import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { POSTGRES_OWNER, startPostgres } from '../../postgres-server/start.js';
import { freePort } from '../../temporal-server/free-port.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal } from '../../temporal-server/start.js';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { printProgress } from '../../temporal-server/binary/progress.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { bundleWorkflows } from '../../worker/workflow-code.js';
import { migrate } from './records.js';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string;
    workflowBundle: string;
    recordsAdminUrl: string;
    recordsUrl: string;
  }
}

export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const all = vitest.getRootProject();
  if ('temporalAddress' in all.getProvidedContext()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'payto-test-'));
  const resolved = await resolveTemporal(
    readTemporalEnvironment({ ...process.env, TEMPORAL_ADDRESS: undefined }),
    {
      onProgress: printProgress,
    },
  );
  if (resolved.kind === 'external') throw new Error('expected a local Temporal server, not an external one');
  const server = await startTemporal({
    path: resolved.path,
    port: await freePort(),
    logLevel: 'error',
    // A closed run can be deleted once its last task is acknowledged.
    dynamicConfig: [
      'history.transferProcessorUpdateAckInterval="200ms"',
      'history.visibilityProcessorUpdateAckInterval="200ms"',
    ],
  });
  const password = 'tests';
  const postgres = await startPostgres({
    folder: join(folder, 'records'),
    port: await freePort(),
    password,
    isDisposable: true,
  });
  const recordsAdminUrl = postgres.urlOf('payto_records');
  const recordsUrl = recordsAdminUrl.replace(POSTGRES_OWNER, 'payto');
  await migrate(recordsAdminUrl, recordsUrl);
  const connection = await Connection.connect({ address: server.address });
  await ensureSearchAttributes(new Client({ connection }));
  await connection.close();
  const { code } = await bundleWorkflows(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)));
  const bundle = join(folder, 'workflows.js');
  await writeFile(bundle, code);
  all.provide('temporalAddress', server.address);
  all.provide('workflowBundle', bundle);
  all.provide('recordsAdminUrl', recordsAdminUrl);
  all.provide('recordsUrl', recordsUrl);
  return async () => {
    await server.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
