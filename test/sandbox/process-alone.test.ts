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

/** What `tsc` makes of the folder `sandbox/`; a file from elsewhere would not fit under its root, and fail it. */
async function buildAlone(): Promise<string> {
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
  await execa(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', directory]);
  return join(directory, 'built');
}

async function start(file: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [file], { env: { PATH: '', ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, url: /^sandbox listening on (\S+)$/.exec(line)?.[1] ?? '' };
}

test('is built from its own folder alone, and takes an application from consent to its first webhook', async () => {
  const built = await buildAlone();
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
