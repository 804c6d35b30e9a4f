// The sandbox starts as a process, also from a build of its own folder alone, and stops cleanly.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, onTestFinished, test, describe } from 'vitest';
import { authorisedCaller } from '../support/sandbox/caller.js';
import { startReceiver } from '../support/sandbox/receiver.js';
import { anAgreement } from '../support/sandbox/requests.js';

describe('sandbox process', () => {
  function spawnSandbox(environment: Record<string, string>) {
    const file = new URL('../../sandbox/main.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--import', 'tsx', file], { env: { PATH: '', ...environment } });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), errors: child.stderr };
  }

  test('exits with 1 and one line for an invalid variable', async () => {
    const { child, errors } = spawnSandbox({ SANDBOX_PORT: 'eighty' });
    let text = '';
    errors.on('data', (chunk: Buffer) => (text += chunk.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(text).toBe('SANDBOX_PORT must be a whole number from 0 (any free port) to 65535\n');
  });

  test('prints its settings, answers and stops cleanly despite an open connection', async () => {
    const { child, lines } = spawnSandbox({ SANDBOX_PORT: '0', SANDBOX_SEED: '42' });
    const line = String((await lines.next()).value);
    const url = /^sandbox listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? '';
    const published: string[] = [];
    for (let count = 0; count < 4; count += 1) published.push(String((await lines.next()).value));
    expect(published).toEqual([
      `sandbox page (act as the payer, advance the clock, add faults): ${url}/`,
      'sandbox webhook URL: http://127.0.0.1:8080/webhooks',
      'sandbox client id: sandbox-client, redirect URI: http://127.0.0.1:8080/oauth/callback',
      'sandbox fault seed: 42',
    ]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
});

describe('standalone sandbox build', () => {
  const ROOT = fileURLToPath(new URL('../..', import.meta.url));

  async function buildAlone(): Promise<{ built: string; sources: string[] }> {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-alone-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        outDir: join(directory, 'built'),
        rootDir: join(ROOT, 'sandbox'),
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: [join(ROOT, 'sandbox')],
    };
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', directory];
    const { stdout } = await execa(process.execPath, [...tsc, '--listFilesOnly']);
    const sources = stdout.split('\n').filter((file) => !file.includes('/node_modules/'));
    expect(sources.filter((file) => !file.startsWith(join(ROOT, 'sandbox/')))).toEqual([]);
    await execa(process.execPath, tsc);
    return { built: join(directory, 'built'), sources };
  }

  async function start(file: string, environment: Record<string, string>) {
    const child = spawn(process.execPath, [file], { env: { PATH: '', ...environment } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const first = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    return { child, url: /^sandbox listening on (\S+)$/.exec(String(first.value))?.[1] ?? '' };
  }

  test('starts from its own folder and works from consent to the first webhook', async () => {
    const { built, sources } = await buildAlone();
    expect(sources).toContain(join(ROOT, 'sandbox/main.ts'));
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const environment = { SANDBOX_PORT: '0', SANDBOX_WEBHOOK_URL: receiver.url };
    const { child, url } = await start(join(built, 'main.js'), environment);

    const caller = await authorisedCaller(url);
    const request = anAgreement();
    const arrival = receiver.next();
    expect((await caller.post('/payto/agreements', request)).status).toBe(201);
    const { envelope } = await arrival;
    expect(envelope.data).toMatchObject({ type: 'payto_agreement.activated', resource_uid: request.uid });
    expect((await caller.get(`/payto/agreements/${request.uid}`)).data.state).toBe('active');
    expect(await (await fetch(url)).text()).toContain(request.uid);

    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
});
