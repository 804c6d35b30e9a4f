import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readForeignVariables, readStartConfig } from '../../cli/config.js';
import { dataFolder, forget, occupy, type DataFolder } from '../../cli/stack/data-folder.js';
import { requireFreePorts } from '../../cli/stack/ports.js';
import { hereIn, programArgs } from '../../cli/stack/child.js';
import { apiKeyEntry, storedSecrets, newSecrets } from '../../cli/stack/secrets.js';
import {
  apiEnvironment,
  sandboxEnvironment,
  workerEnvironment,
  type Wiring,
} from '../../cli/stack/wiring.js';
import { readConfig as readApiConfig } from '../../api/config.js';
import { readConfig as readSandboxConfig } from '../../sandbox/config.js';
import { readConfig as readWorkerConfig } from '../../worker/config.js';
import { freePort } from '../../temporal-server/free-port.js';

async function aFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'payto-cli-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return dataFolder(path);
}

describe('start configuration', () => {
  test('has defaults for an empty environment', () => {
    expect(readStartConfig({ API_PORT: '' })).toMatchObject({
      API_PORT: 8080,
      SANDBOX_PORT: 8090,
      METRICS_PORT: 9464,
      TEMPORAL_PORT: 7233,
      TEMPORAL_UI_PORT: 8233,
    });
  });

  test('names each invalid variable', () => {
    const wrong = { API_PORT: '0', SANDBOX_PORT: 'x', PAYMENTS_API_URL: 'provider' };
    expect(() => readStartConfig(wrong)).toThrow(
      /^API_PORT: expected a port.*\nSANDBOX_PORT: expected a port.*\nPAYMENTS_API_URL: expected an http/,
    );
  });

  test('names all missing variables of a real provider', () => {
    const given = { PAYMENTS_API_URL: 'https://api.provider.example', OAUTH_CLIENT_ID: 'us' };
    const names =
      'PAYMENTS_AUTH_URL OAUTH_CLIENT_SECRET OAUTH_REDIRECT_URI OAUTH_SCOPES WEBHOOK_VERIFIER WEBHOOK_SECRETS';
    expect(() => readStartConfig(given)).toThrow(new RegExp(names.split(' ').join('[^]*')));
    expect(() => readStartConfig(given)).not.toThrow('OAUTH_CLIENT_ID');
  });

  test('hides the product’s variables from the demo', () => {
    const given = {
      PATH: '/bin',
      TEMPORAL_ADDRESS: 'prod:7233',
      API_KEYS: 'x',
      ENCRYPTION_KEYS: 'y',
      TASK_QUEUE: 'z',
    };
    expect(readForeignVariables(given)).toEqual({ PATH: '/bin' });
  });
});

describe('process environments', async () => {
  const secrets = await newSecrets();
  const whole: Wiring = {
    root: '/root',
    variables: {
      TEMPORAL_ADDRESS: 'prod:7233',
      TEMPORAL_TLS: 'true',
      API_KEYS: `mine:mine:read:${'a'.repeat(64)}`,
    },
    secrets,
    ports: { api: 18080, admin: 18081, metrics: 0 },
    records: { port: 15433, folder: '/data/records', isDisposable: false },
    temporal: { port: 17233, uiPort: 18233, dbFilename: '/data/temporal.db' },
    sandbox: { port: 18090, dataFile: '/data/sandbox.json' },
  };

  test('are accepted by each process', () => {
    expect(readWorkerConfig(workerEnvironment(whole))).not.toHaveProperty('problems');
    const api = readApiConfig(apiEnvironment(whole));
    expect(api.API_KEYS?.map(({ id }) => id)).toEqual(['mine', 'development']);
    expect(api.temporal).toMatchObject({ address: '127.0.0.1:17233' });
    expect(readSandboxConfig(sandboxEnvironment(whole))).toMatchObject({
      port: 18090,
      dataFile: '/data/sandbox.json',
      webhookUrl: 'http://127.0.0.1:18080/webhooks',
    });
  });

  test('preserve the settings of an external Temporal and provider', () => {
    const elsewhere = { ...whole, records: undefined, temporal: undefined, sandbox: undefined };
    const environment = workerEnvironment(elsewhere);
    expect(environment).toMatchObject({ ...whole.variables, ENCRYPTION_KEYS: secrets.encryption_key });
    expect(environment).not.toHaveProperty('PAYMENTS_API_URL');
  });

  test('give the keys of tokens to the worker alone', () => {
    const variables = { ...whole.variables, TOKEN_KEYS: secrets.token_key };
    const api = apiEnvironment({ ...whole, variables });
    expect(JSON.stringify(api)).not.toContain(secrets.token_key);
    expect(workerEnvironment(whole)).toMatchObject({ TOKEN_KEYS: secrets.token_key });
  });
});

describe('data folder', () => {
  test('creates the secrets once, readable only by their owner', async () => {
    const folder = await aFolder();
    const made = await storedSecrets(folder.secrets);
    expect(made.isNew).toBe(true);
    expect((await stat(folder.secrets)).mode & 0o777).toBe(0o600);
    expect(await storedSecrets(folder.secrets)).toEqual({ secrets: made.secrets, isNew: false });
    expect(apiKeyEntry(made.secrets)).not.toContain(made.secrets.api_key);
  });

  test('reports an unreadable secrets file and preserves it', async () => {
    const folder = await aFolder();
    await writeFile(folder.secrets, '{}');
    await expect(storedSecrets(folder.secrets)).rejects.toThrow('development.json does not contain');
    expect(await readFile(folder.secrets, 'utf8')).toBe('{}');
  });

  test('is cleared of its data files but not of other files', async () => {
    const folder = await aFolder();
    const { temporal, sandbox, secrets, path } = folder;
    const files = [temporal, `${temporal}-wal`, `${temporal}-shm`, sandbox, secrets, join(path, 'notes.txt')];
    await Promise.all(files.map((file) => writeFile(file, '')));
    await forget(folder);
    expect(await readdir(path)).toEqual(['notes.txt']);
  });

  test('allows one run at a time and ignores the pid of a killed one', async () => {
    const folder = await aFolder();
    const pidFile = join(folder.path, 'start.pid');
    await writeFile(pidFile, String(process.ppid));
    await expect(occupy(folder)).rejects.toThrow(`in use by npm start, process ${process.ppid}`);
    await writeFile(pidFile, '999999999');
    const leave = await occupy(folder);
    await leave();
    expect(await readdir(folder.path)).toEqual([]);
  });
});

test('unavailable and duplicate ports are reported with the variable to set', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const wanted = [
    { purpose: 'the sandbox', port, variable: 'SANDBOX_PORT' },
    { purpose: 'the API', port, variable: 'API_PORT' },
  ];
  const failure: unknown = await requireFreePorts(wanted).catch((error: unknown) => error);
  expect(String(failure)).toMatch(
    new RegExp(`Port ${port} cannot be used for the sandbox: .*set SANDBOX_PORT to another port\n`),
  );
  expect(String(failure)).toContain(`Port ${port} is assigned to both the sandbox and the API; set API_PORT`);
});

test('child processes run from source or from the build, like the command', () => {
  expect(programArgs('api', '/p/cli/stack/child.ts')).toEqual(['--import', 'tsx', '/p/api/main.ts']);
  expect(programArgs('worker', '/p/dist/cli/stack/child.js')).toEqual(['/p/dist/worker/main.js']);
  expect(programArgs('worker', hereIn('/p/dist'))).toEqual(['/p/dist/worker/main.js']);
});
