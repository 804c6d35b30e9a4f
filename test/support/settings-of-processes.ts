// Which config reads the environment of each program, and secrets that a stranger could have made.
import { createHash, randomBytes } from 'node:crypto';
import { readConfig as readApiConfig } from '../../api/config.js';
import { readConfig as readSandboxConfig } from '../../sandbox/config.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { printPublicKey, publicKeyOf } from '../../sealing/public-key.js';
import {
  readConfig as readWorkerConfig,
  readExpiryConfig,
  readMigrateConfig,
  readRecordsConfig,
} from '../../worker/config.js';
import type { Secrets } from './pods.js';

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
