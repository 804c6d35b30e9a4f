import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { execa } from 'execa';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { freePort } from '../../temporal-server/free-port.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal, type RunningTemporal, type StartOptions } from '../../temporal-server/start.js';
import { aProgram, temporaryFolder } from '../support/fake-programs.js';

const FETCH_MS = 5 * 60_000;
const START_AND_STOP_MS = 60_000;
const AS_IS = ['--disable-config-env', '--disable-config-file'];

let path: string;

beforeAll(async () => {
  const resolved = await resolveTemporal({ ...readTemporalEnvironment(), address: undefined });
  if (resolved.kind !== 'binary') throw new Error('expected a local Temporal binary');
  path = resolved.path;
}, FETCH_MS);

async function started(options: Omit<StartOptions, 'path'>): Promise<RunningTemporal> {
  const running = await startTemporal({ path, ...options });
  onTestFinished(() => running.stop());
  return running;
}

async function ask({ address }: RunningTemporal, ...question: string[]): Promise<string> {
  const { stdout } = await execa(path, [...question, '--address', address, '--output', 'json', ...AS_IS]);
  return stdout;
}

const begin = (running: RunningTemporal, workflowId: string): Promise<string> =>
  ask(running, 'workflow', 'start', '--type', 'any', '--task-queue', 'any', '--workflow-id', workflowId);

test('a restarted server keeps its workflows', { timeout: START_AND_STOP_MS }, async () => {
  const dbFilename = join(await temporaryFolder(), 'made-by-start', 'temporal.db');
  const port = await freePort();
  const first = await started({ port, dbFilename });
  await begin(first, 'agreement/1');
  await first.stop();
  expect(await first.exited).toMatchObject({ exitCode: 0 });

  const second = await started({ port, dbFilename });
  expect(await ask(second, 'workflow', 'describe', '--workflow-id', 'agreement/1')).toContain('RUNNING');
});

test('a server with a UI port serves its UI', { timeout: START_AND_STOP_MS }, async () => {
  const running = await started({ port: await freePort(), uiPort: await freePort() });
  expect((await fetch(String(running.uiAddress))).status).toBe(200);
});

test('the server supports time skipping', { timeout: START_AND_STOP_MS }, async () => {
  const running = await started({ port: await freePort() });
  const workflowId = 'agreement/1';
  await begin(running, workflowId);
  const connection = await Connection.connect({ address: running.address });
  onTestFinished(() => connection.close());
  const answer = await connection.workflowService.updateWorkflowExecutionOptions({
    namespace: 'default',
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig: { enabled: true } },
    updateMask: { paths: ['time_skipping_config'] },
  });
  expect(answer.workflowExecutionOptions?.timeSkippingConfig?.enabled).toBe(true);
});

test('a start on a port in use fails and names the port', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await expect(startTemporal({ path, port })).rejects.toThrow(`Port ${port} cannot be used for Temporal`);
});

test('a failed start reports the last output of the server', async () => {
  const broken = await aProgram(join(await temporaryFolder(), 'temporal'), 'echo "unknown flag" >&2; exit 3');
  const start = startTemporal({ path: broken, port: await freePort() });
  await expect(start).rejects.toThrow(/stopped while starting .*exit code 3\s+unknown flag/s);
});

test('a start is retried twice if a port picked by the server is in use', async () => {
  const folder = await temporaryFolder();
  const starts = join(folder, 'starts');
  const isStart = `[ "$1" = server ] || exit 1; echo start >> '${starts}'`;
  const unlucky = await aProgram(
    join(folder, 'temporal'),
    `${isStart}; echo 'listen tcp 127.0.0.1:1: bind: address already in use'; exit 1`,
  );
  await expect(startTemporal({ path: unlucky, port: await freePort() })).rejects.toThrow('already in use');
  expect(await readFile(starts, 'utf8')).toBe('start\n'.repeat(3));
});

test('a start without an executable binary fails with ENOENT', async () => {
  const start = startTemporal({ path: join(await temporaryFolder(), 'missing'), port: await freePort() });
  await expect(start).rejects.toThrow('ENOENT');
});

test('the server stops when the process that started it is killed', async () => {
  const script = `
    import { spawn } from 'node:child_process';
    import { tether } from '${join(findPackageRoot(), 'temporal-server', 'detached.ts')}';
    const child = spawn('sleep', ['600'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
    child.once('spawn', () => { tether(child.pid); process.kill(process.pid, 'SIGKILL'); });
  `;
  const words = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const killed = await execa(process.execPath, words, { cwd: findPackageRoot(), reject: false });
  expect(killed.signal).toBe('SIGKILL');
});
