// One Temporal server and one workflow bundle for the whole test run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { resolveTemporal } from '../../tools/temporal/resolve.js';
import { startTemporal } from '../../tools/temporal/start.js';
import { readTemporalEnvironment } from '../../tools/temporal/config.js';
import { printProgress } from '../../tools/temporal/progress.js';
import { bundleWorkflows } from '../../worker/workflow-code.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/entity/contract.js';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string;
    workflowBundle: string;
  }
}

const TYPE_NAMES = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList', DATETIME: 'Datetime' } as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-test-'));
  const resolved = await resolveTemporal(
    readTemporalEnvironment({ ...process.env, TEMPORAL_ADDRESS: undefined }),
    {
      onProgress: printProgress,
    },
  );
  if (resolved.kind === 'external') throw new Error('expected a Temporal server of our own');
  const server = await startTemporal({
    path: resolved.path,
    port: await getPort(),
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name, type }) => [name, TYPE_NAMES[type]])),
    logLevel: 'error',
  });
  const { code } = await bundleWorkflows(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)));
  const bundle = join(folder, 'workflows.js');
  await writeFile(bundle, code);
  project.provide('temporalAddress', server.address);
  project.provide('workflowBundle', bundle);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
