import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { builtOf, startNode, type NodeProcess } from '../support/processes.js';
import { GOOD } from '../support/environments.js';
import { freePort } from '../../temporal-server/free-port.js';

const HURRIED = `for (const name of ['setTimeout', 'setInterval']) {
  const real = globalThis[name];
  globalThis[name] = (work, ms = 0, ...rest) => real(work, ms >= 5000 ? ms / 20 : ms, ...rest);
}`;
const hurried = ['--import', `data:text/javascript,${encodeURIComponent(HURRIED)}`];

function startWorker(variables: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const worker = startNode([...words, builtOf('worker')], {
    METRICS_PORT: '0',
    ...GOOD,
    ...variables,
  });
  onTestFinished(() => {
    worker.signal('SIGKILL');
  });
  return worker;
}

const anAddress = async () => `127.0.0.1:${await freePort()}`;

async function endOf({ ended, output }: NodeProcess) {
  const exitCode = await ended;
  return { exitCode, lines: output().trim().split('\n') };
}

describe('worker process', () => {
  test('stops if Temporal stays unreachable, and reports the address and a fix', async () => {
    const address = await anAddress();
    const { exitCode, lines } = await endOf(startWorker({ TEMPORAL_ADDRESS: address }, hurried));
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe(
      `worker: TEMPORAL_ADDRESS: expected a Temporal server at ${address}, received Connection refused; start it, or correct the address`,
    );
    const waits = lines.slice(0, -1);
    expect(new Set(waits)).toEqual(new Set([`waiting for Temporal at ${address}: Connection refused`]));
    expect(waits.length).toBeGreaterThanOrEqual(10);
  });

  test('starts polling when Temporal becomes available, and stops on SIGTERM', async () => {
    const [host = '', port] = inject('temporalAddress').split(':');
    const address = await anAddress();
    const worker = startWorker({ TEMPORAL_ADDRESS: address, TASK_QUEUE: `late-${randomUUID()}` }, hurried);
    await worker.hasWritten(/waiting for Temporal/);
    const door = createServer((socket) => {
      const server = connect(Number(port), host);
      socket.pipe(server).pipe(socket);
      for (const end of [socket, server])
        end.on('error', () => [socket, server].map((each) => each.destroy()));
    });
    await once(door.listen(Number(address.split(':')[1]), '127.0.0.1'), 'listening');
    onTestFinished(() => void door.close());
    await worker.hasWritten(/worker polling/);
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('stops on SIGTERM while it waits for Temporal', async () => {
    const worker = startWorker({ TEMPORAL_ADDRESS: await anAddress() }, hurried);
    await worker.hasWritten(/waiting for Temporal/);
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('reports an invalid Temporal configuration file without quoting it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'payto-worker-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'temporal.toml');
    await writeFile(file, '[profile.default]\napi_key = "very-secret\n');
    const { exitCode, lines } = await endOf(startWorker({ TEMPORAL_CONFIG_FILE: file }));
    expect({ exitCode, lines }).toEqual({
      exitCode: 78,
      lines: [expect.stringMatching(/^worker: TEMPORAL_\*: expected /)],
    });
    expect(lines.join()).not.toContain('very-secret');
  });

  test('reports a missing namespace', async () => {
    const variables = { TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_NAMESPACE: 'nowhere' };
    const { exitCode, lines } = await endOf(startWorker(variables));
    expect(exitCode).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^worker: TEMPORAL_NAMESPACE: expected nowhere at .*; /)]);
  });

  test('reports METRICS_PORT if the port is in use', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const METRICS_PORT = String(typeof address === 'object' ? address?.port : '');
    const { exitCode, lines } = await endOf(startWorker({ METRICS_PORT }));
    expect({ exitCode, lines }).toEqual({
      exitCode: 78,
      lines: [expect.stringMatching(/^worker: METRICS_PORT: /)],
    });
  });

  test('reports METRICS_HOST if the address is not of this machine', async () => {
    const { exitCode, lines } = await endOf(
      startWorker({ METRICS_HOST: '203.0.113.7', METRICS_PORT: String(await freePort()) }),
    );
    expect({ exitCode, lines }).toEqual({
      exitCode: 78,
      lines: [expect.stringMatching(/^worker: METRICS_HOST: /)],
    });
  });
});
