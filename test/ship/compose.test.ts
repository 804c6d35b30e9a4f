// The compose file against the processes that it starts: what it gives them is what they take.
import { describe, expect, test } from 'vitest';
import { readConfig as readApiConfig } from '../../api/config.js';
import { readConfig as readSandboxConfig } from '../../sandbox/config.js';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
import { readServices, readVariables, variablesReadBy } from '../../tools/compose/files.js';
import { interpolate } from '../../tools/compose/interpolate.js';
import {
  brokenDependencies,
  environmentOf,
  unknownVariables,
  unpinnedImages,
} from '../../tools/compose/rules.js';
import { readCompose } from '../../tools/compose/schema.js';
import { readConfig as readWorkerConfig } from '../../worker/config.js';

const environment = async (name: string) => {
  const service = (await readServices(await readVariables('docker/sandbox.env')))[name];
  if (service === undefined) throw new Error(`expected a service ${name}`);
  return environmentOf(service);
};

describe('docker-compose.yml with docker/sandbox.env', () => {
  test('gives api, worker and sandbox settings that they accept and that fit each other', async () => {
    const api = readApiConfig(await environment('api'));
    const worker = readWorkerConfig(await environment('worker'));
    const sandbox = readSandboxConfig(await environment('sandbox'));
    if ('problems' in worker) throw new Error(worker.problems.join('\n'));
    expect(worker.TASK_QUEUE).toBe(api.TASK_QUEUE);
    const [ours, theirs] = [worker, api].map((config) =>
      config.ENCRYPTION_KEYS.map(({ id, key }) => [id, key.export()]),
    );
    expect(ours).toEqual(theirs);
    expect(worker.PAYLOADS_IN_CLEAR).toBe(api.PAYLOADS_IN_CLEAR);
    expect(api.CODEC_ORIGINS).toContain(api.TEMPORAL_UI_URL);
    expect([api.OAUTH_REDIRECT_URI, worker.OAUTH_REDIRECT_URI]).toEqual([
      sandbox.redirectUri,
      sandbox.redirectUri,
    ]);
    expect([worker.OAUTH_CLIENT_ID, worker.OAUTH_CLIENT_SECRET.reveal()]).toEqual([
      sandbox.clientId,
      sandbox.clientSecret,
    ]);
    expect(api.OAUTH_SCOPES.split(' ')).toEqual(REVOCABLE_SCOPES);
    expect(api.WEBHOOK_SECRETS.map((secret) => secret.reveal())).toContain(sandbox.webhookSecret);
    expect([new URL(sandbox.webhookUrl).host, new URL(worker.PAYMENTS_API_URL).host]).toEqual([
      `api:${api.API_PORT}`,
      `sandbox:${sandbox.port}`,
    ]);
  });

  test('refuses to start with what .env.example leaves empty', async () => {
    await expect(readServices(await readVariables('.env.example'))).rejects.toThrow(
      / is missing; see \.env\.example/,
    );
  });
});

describe('npm run check:compose', () => {
  test('refuses what is not in the schema', () => {
    expect(() => readCompose({ services: { api: { image: 'a:1', comand: 'x' } } })).toThrow(/api .*comand/);
    expect(() => readCompose({ services: { api: { healthcheck: { interval: 'soon' } } } })).toThrow(
      /duration/,
    );
  });

  test.each(['postgres', 'postgres:latest', 'none'])('refuses the image %s', (image) => {
    expect(unpinnedImages({ postgres: { image } })).toHaveLength(1);
  });

  test('refuses dependencies that cannot be met', () => {
    const waiting = (condition: 'service_healthy' | 'service_completed_successfully') => ({
      depends_on: { other: { condition } },
    });
    expect(brokenDependencies({ api: waiting('service_healthy') })).toHaveLength(1);
    expect(brokenDependencies({ api: waiting('service_healthy'), other: {} })).toHaveLength(1);
    expect(
      brokenDependencies({ api: { depends_on: ['other'] }, other: { profiles: ['sandbox'] } }),
    ).toHaveLength(1);
    expect(
      brokenDependencies({ api: waiting('service_completed_successfully'), other: { restart: 'always' } }),
    ).toHaveLength(1);
    expect(brokenDependencies({ api: { depends_on: ['other'] }, other: {} })).toEqual([]);
  });

  test('refuses a variable that the process does not read', async () => {
    const known = await variablesReadBy('api');
    const api = {
      command: ['node', 'dist/api/main.js'],
      environment: { API_PORT: 1, TEMPORAL_ADDRESS: 'a', API_PROT: 1 },
    };
    expect(unknownVariables({ api }, () => known)).toEqual([
      'api: sets API_PROT, which dist/api does not read',
    ]);
  });

  test('fills variables in as docker compose does', () => {
    const filled = (text: string, variables = {}) => interpolate({ text: [text] }, variables);
    expect(filled('a ${A:-b} ${A} c')).toEqual({ text: ['a b  c'] });
    expect(filled('${A:-${B}}:${C:-c}', { B: 'b' })).toEqual({ text: ['b:c'] });
    expect(filled('${A:-x}', { A: 'a' })).toEqual({ text: ['a'] });
    expect(() => filled('${A:?A is missing}', { A: '' })).toThrow('A is missing');
  });
});
