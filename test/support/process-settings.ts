// Which config reads the environment of each program, whether those of one installation match, and secrets that a stranger could have made.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { readConfig as readApiConfig } from '../../api/config.js';
import { readConfig as readSandboxConfig, type SandboxConfig } from '../../sandbox/config.js';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { openSealedTo, printPublicKey, publicKeyOf, sealTo } from '../../sealing/public-key.js';
import {
  readConfig as readWorkerConfig,
  readExpiryConfig,
  readMigrateConfig,
  readRecordsConfig,
} from '../../worker/config.js';
import type { Secrets } from './kubernetes.js';

type Reader = { room: string; read: (environment: Record<string, string>) => unknown };

export const READERS: Readonly<Record<string, Reader>> = {
  'dist/api/main.js': { room: 'api', read: readApiConfig },
  'dist/worker/main.js': { room: 'worker', read: readWorkerConfig },
  'dist/worker/migrate.js': { room: 'worker', read: readMigrateConfig },
  'dist/worker/expire.js': { room: 'worker', read: readExpiryConfig },
  'dist/worker/records.js': { room: 'worker', read: readRecordsConfig },
  'dist/sandbox/main.js': { room: 'sandbox', read: readSandboxConfig },
};

const random = (): string => randomBytes(32).toString('hex');
const aKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const url = (user: string): string => `postgres://${user}:${random()}@postgres.example/payto_records`;

/** The Secrets of production, with exactly the keys that docs/deployment.md lists as required. */
export async function freshSecrets(): Promise<Secrets> {
  const tokenKeys = aKey('t1');
  const ENCRYPTION_KEYS = aKey('k1');
  const urls = { RECORDS_URL: url('payto'), RECORDS_EXPIRY_URL: url('payto_expiry') };
  const auditUrl = url('payto_audit');
  return {
    'payto-api': {
      RECORDS_URL: urls.RECORDS_URL,
      ENCRYPTION_KEYS,
      SESSION_KEYS: aKey('s1'),
      TOKEN_PUBLIC_KEY: printPublicKey(await publicKeyOf(parseKeyring(tokenKeys))),
      API_KEYS: `backend:backend:read+write:${createHash('sha256').update(random()).digest('hex')}`,
      WEBHOOK_SECRETS: random(),
    },
    'payto-worker': {
      RECORDS_URL: urls.RECORDS_URL,
      ENCRYPTION_KEYS,
      TOKEN_KEYS: tokenKeys,
      OAUTH_CLIENT_SECRET: random(),
    },
    'payto-migration': { ...urls, RECORDS_ADMIN_URL: url('owner'), RECORDS_AUDIT_URL: auditUrl },
    'payto-expiry': { RECORDS_EXPIRY_URL: urls.RECORDS_EXPIRY_URL },
    'payto-audit': { RECORDS_URL: auditUrl, ENCRYPTION_KEYS },
  };
}

type Environment = Readonly<Record<string, string>>;

/** The settings of API, worker and sandbox of one installation are valid and fit together. */
export async function expectMatching(
  ofApi: Environment,
  ofWorker: Environment,
  sandbox: SandboxConfig,
  hosts: { api: string; sandbox: string },
): Promise<void> {
  const api = readApiConfig(ofApi);
  const worker = readWorkerConfig(ofWorker);
  expect(worker.TASK_QUEUE).toBe(api.TASK_QUEUE);
  const [ours, theirs] = [worker, api].map((config) =>
    config.ENCRYPTION_KEYS.map(({ id, key }) => [id, key.export()]),
  );
  expect(ours).toEqual(theirs);
  const sealed = await sealTo(api.TOKEN_PUBLIC_KEY, 'a code', 'here');
  expect(await openSealedTo(worker.TOKEN_KEYS, sealed, 'here')).toBe('a code');
  expect(ofApi).not.toHaveProperty('TOKEN_KEYS');
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
  expect((api.WEBHOOK_SECRETS ?? []).map((secret) => secret.reveal())).toContain(sandbox.webhookSecret);
  expect([new URL(sandbox.webhookUrl).host, new URL(worker.PAYMENTS_API_URL).host]).toEqual([
    `${hosts.api}:${api.API_PORT}`,
    `${hosts.sandbox}:${sandbox.port}`,
  ]);
}
