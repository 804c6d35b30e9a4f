import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { execa } from 'execa';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findModuleFolder, findPackageRoot } from '../../temporal-server/binary/cache.js';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { freePort } from '../../temporal-server/free-port.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal, type RunningTemporal, type StartOptions } from '../../temporal-server/start.js';
import { aProgram, temporaryFolder } from '../support/fake-programs.js';

const BUILD_MS = 15 * 60_000;
const START_AND_STOP_MS = 60_000;
const AS_IS = ['--disable-config-env', '--disable-config-file'];

let path: string;

beforeAll(async () => {
  const resolved = await resolveTemporal({ ...readTemporalEnvironment(), address: undefined });
  if (resolved.kind !== 'binary') throw new Error('a server elsewhere cannot be started and stopped here');
  path = resolved.path;
}, BUILD_MS);

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

test('keeps workflows in its file', { timeout: START_AND_STOP_MS }, async () => {
  const dbFilename = join(await temporaryFolder(), 'made-by-start', 'temporal.db');
  const port = await freePort();
  const first = await started({ port, dbFilename });
  await begin(first, 'agreement/1');
  await first.stop();
  expect(await first.exited).toMatchObject({ exitCode: 0 });

  const second = await started({ port, dbFilename });
  expect(await ask(second, 'workflow', 'describe', '--workflow-id', 'agreement/1')).toContain('RUNNING');
});

test('serves its UI', { timeout: START_AND_STOP_MS }, async () => {
  const running = await started({ port: await freePort(), uiPort: await freePort() });
  expect((await fetch(String(running.uiAddress))).status).toBe(200);
});

test('lets time be skipped', { timeout: START_AND_STOP_MS }, async () => {
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

test('names the port when it is taken', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await expect(startTemporal({ path, port })).rejects.toThrow(`Port ${port} cannot be used for Temporal`);
});

test('tells the last words of a server that does not come up', async () => {
  const broken = await aProgram(join(await temporaryFolder(), 'temporal'), 'echo "unknown flag" >&2; exit 3');
  const start = startTemporal({ path: broken, port: await freePort() });
  await expect(start).rejects.toThrow(/stopped while starting .*exit code 3\s+unknown flag/s);
});

test('starts again when another process took a port that the server had picked', async () => {
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

test('says so when the binary cannot be run at all', async () => {
  const start = startTemporal({ path: join(await temporaryFolder(), 'missing'), port: await freePort() });
  await expect(start).rejects.toThrow('ENOENT');
});

test('ends the server when the one who started it is killed', async () => {
  const script = `
    import { spawn } from 'node:child_process';
    import { tether } from '${join(findModuleFolder(), 'detached.ts')}';
    const child = spawn('sleep', ['600'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
    child.once('spawn', () => { tether(child.pid); process.kill(process.pid, 'SIGKILL'); });
  `;
  const words = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const killed = await execa(process.execPath, words, { cwd: findPackageRoot(), reject: false });
  expect(killed.signal).toBe('SIGKILL');
});
