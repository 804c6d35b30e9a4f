// The sandbox as a process and over restarts: its settings, its one line, its end, and what it remembers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../sandbox/config.js';
import { startSandbox } from '../../sandbox/start.js';
import { callerWith, consent, refresh } from './caller.js';
import { startReceiver } from './receiver.js';
import { anAgreement } from './requests.js';

async function aDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

function spawnSandbox(environment: Record<string, string>) {
  const file = new URL('../../sandbox/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', file], { env: { PATH: '', ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), errors: child.stderr };
}

test('without variables it has the documented settings', () => {
  expect(readConfig({ SANDBOX_WEBHOOK_SECRET: '' })).toEqual({
    host: '127.0.0.1',
    port: 8090,
    webhookUrl: 'http://127.0.0.1:8080/webhooks',
    webhookSecret: 'sandbox-webhook-secret',
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-client-secret',
    redirectUri: 'http://127.0.0.1:8080/oauth/callback',
    dataFile: null,
    seed: null,
  });
});

test.each([
  ['SANDBOX_PORT', '70000'],
  ['SANDBOX_PORT', 'eighty'],
  ['SANDBOX_WEBHOOK_URL', 'not a url'],
  ['SANDBOX_REDIRECT_URI', 'ftp://host/'],
  ['SANDBOX_SEED', 'x'.repeat(201)],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be [^\n]+$`));
});

test('a wrong variable is one line and exit code 1', async () => {
  const { child, errors } = spawnSandbox({ SANDBOX_PORT: 'eighty' });
  let text = '';
  errors.on('data', (chunk: Buffer) => (text += chunk.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(text).toBe('SANDBOX_PORT must be a whole number from 0 (any free port) to 65535\n');
});

test('it says where it listens and how it is set, answers, and ends cleanly although a connection is kept open', async () => {
  const { child, lines } = spawnSandbox({ SANDBOX_PORT: '0', SANDBOX_SEED: '42' });
  const line = String((await lines.next()).value);
  const url = /^sandbox listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? '';
  const told: string[] = [];
  for (let count = 0; count < 4; count += 1) told.push(String((await lines.next()).value));
  expect(told).toEqual([
    `sandbox page, to play the payer, let days pass and switch faults on: ${url}/`,
    'sandbox webhooks go to: http://127.0.0.1:8080/webhooks',
    'sandbox client id: sandbox-client, redirected to http://127.0.0.1:8080/oauth/callback',
    'sandbox faults seed: 42',
  ]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
});

test('agreements, grants, time and what is still to come survive a restart', async () => {
  const dataFile = join(await aDirectory(), 'kept', 'sandbox.json');
  const first = await startSandbox({ dataFile, webhookUrl: 'http://127.0.0.1:1/' });
  const tokens = await consent(first.url);
  const request = anAgreement({ sandbox: { delay: 3600 } });
  await callerWith(first.url, tokens.access).post('/payto/agreements', request);
  await first.control.advance(600);
  const ledger = first.control.ledger();
  await first.close();
  expect(await readFile(dataFile, 'utf8')).not.toContain(tokens.refresh);

  const receiver = await startReceiver();
  const second = await startSandbox({ dataFile, webhookUrl: receiver.url });
  onTestFinished(async () => {
    await second.close();
    await receiver.close();
  });
  expect(Date.parse(second.control.state().now)).toBeGreaterThanOrEqual(Date.now() + 599_000);
  expect(second.control.ledger()).toEqual(ledger);
  const { data } = await callerWith(second.url, tokens.access).get(`/payto/agreements/${request.uid}`);
  expect(data.state).toBe('created');
  await second.control.advance(3001);
  expect(receiver.types()).toEqual(['payto_agreement.activated']);
  expect((await refresh(second.url, tokens.refresh)).status).toBe(200);
});

test('the account, its faults and the webhooks that are held back survive a restart', async () => {
  const dataFile = join(await aDirectory(), 'sandbox.json');
  const receiver = await startReceiver();
  const first = await startSandbox({ dataFile, webhookUrl: receiver.url });
  const { access } = await consent(first.url);
  const request = anAgreement();
  first.control.setLimits({ payment_cents: 77 });
  first.control.setOrganisation({ minimum_version: '20260101', deep_hierarchy: true });
  first.control.setApplication({ scopes: ['public', 'pay_to_agreements', 'webhooks'] });
  first.control.setOAuth({ grace_seconds: 5 });
  first.control.addFault({ on: 'webhook', do: 'batch', size: 2, delay_seconds: 600, times: 1 });
  first.control.addFault({ on: 'ping', do: 'slow', delay_ms: 7, share: 0.5, resource_uid: 'x' });
  await callerWith(first.url, access).post('/payto/agreements', request);
  await first.control.advance(1);
  const kept = { ...first.control.state(), now: '' };
  await first.close();
  expect(receiver.received).toEqual([]);

  const second = await startSandbox({ dataFile, webhookUrl: receiver.url });
  onTestFinished(async () => {
    await second.close();
    await receiver.close();
  });
  const found = { ...second.control.state(), now: '' };
  const text = JSON.stringify(kept).replaceAll(first.url, second.url);
  expect(found).toEqual(JSON.parse(text));
  second.control.actAsPayer(request.uid, 'cancel');
  await second.control.flushWebhooks();
  expect(receiver.types()).toEqual(['payto_agreement.activated', 'payto_agreement.cancelled']);
  expect(receiver.received).toHaveLength(1);
});

test('a data file that is something else is refused and left alone', async () => {
  const dataFile = join(await aDirectory(), 'sandbox.json');
  await writeFile(dataFile, '{"mine":true}');
  await expect(startSandbox({ dataFile })).rejects.toThrow(/^SANDBOX_DATA_FILE must be/);
  expect(await readFile(dataFile, 'utf8')).toBe('{"mine":true}');
});
