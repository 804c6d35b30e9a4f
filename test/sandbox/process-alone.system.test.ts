// The sandbox without the product: built from its own folder alone, started, and walked from consent to webhook.
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { authorisedCaller } from './caller.js';
import { startReceiver } from './receiver.js';
import { anAgreement } from './requests.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What `tsc` makes of the folder `sandbox/`, and all the files that it has read for it. */
async function buildAlone(): Promise<{ built: string; sources: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-alone-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true, // `npm run check` does that
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

test('is built from its own folder alone, and takes an application from consent to its first webhook', async () => {
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
