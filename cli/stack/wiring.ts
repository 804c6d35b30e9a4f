// The settings of one set of processes, and the environment of each: which process connects to which.
import { dirname, join } from 'node:path';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
import { POSTGRES_OWNER } from '../../postgres-server/start.js';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';
import { without, type Variables } from '../config.js';
import { dataFolder } from './data-folder.js';
import { apiKeyEntry, newSecrets, type Secrets } from './secrets.js';

const CLIENT_ID = 'sandbox-client';

export interface OwnTemporal {
  port: number;
  uiPort: number;
  dbFilename: string;
}

export interface OwnRecords {
  port: number;
  folder: string;
  /** The data is not needed after this run. */
  isDisposable: boolean;
}

export interface Wiring {
  /** The folder of package.json. */
  root: string;
  /** Additional variables for all processes. */
  variables: Variables;
  secrets: Secrets;
  ports: { api: number; admin: number; metrics: number };
  /** If absent, RECORDS_URL in the variables names a database. */
  records?: OwnRecords | undefined;
  /** If absent, TEMPORAL_ADDRESS in the variables names a server. */
  temporal?: OwnTemporal | undefined;
  /** If absent, the variables name a real provider. */
  sandbox?: { port: number; dataFile: string } | undefined;
}

/** The whole product on free ports and in a separate folder, for runs that leave nothing behind. */
export async function freshWiring(folder: string, variables: Variables): Promise<Wiring> {
  const { temporal, sandbox, records } = dataFolder(folder);
  return {
    root: findPackageRoot(),
    variables,
    secrets: await newSecrets(),
    ports: { api: await freePort(), admin: await freePort(), metrics: 0 },
    records: { port: await freePort(), folder: records, isDisposable: true },
    temporal: { port: await freePort(), uiPort: await freePort(), dbFilename: temporal },
    sandbox: { port: await freePort(), dataFile: sandbox },
  };
}

const urlOf = (port: number): string => `http://${LOOPBACK}:${port}`;
export const apiUrl = ({ ports }: Wiring): string => urlOf(ports.api);
export const sandboxUrl = ({ sandbox }: Wiring): string | undefined => sandbox && urlOf(sandbox.port);
/** Where Temporal's UI and CLI decode payloads, and where an operator signs in for it. */
export const codecUrl = (wiring: Wiring): string => `${urlOf(wiring.ports.admin)}/codec`;
export const signInUrl = (wiring: Wiring): string => `${codecUrl(wiring)}/login`;
/** Where a person signs in to see and do what the API can. */
export const consoleUrl = ({ ports }: Wiring): string => `${urlOf(ports.admin)}/console`;
const callbackUrl = (wiring: Wiring): string => `${apiUrl(wiring)}/oauth/callback`;

/** For the sandbox: its address, its callers, and the target of its webhooks. */
export function sandboxEnvironment(wiring: Wiring): Variables {
  const { variables, secrets, sandbox } = wiring;
  return {
    ...variables,
    SANDBOX_HOST: LOOPBACK,
    SANDBOX_PORT: String(sandbox?.port),
    SANDBOX_DATA_FILE: sandbox?.dataFile ?? '',
    SANDBOX_CLIENT_ID: CLIENT_ID,
    SANDBOX_CLIENT_SECRET: secrets.oauth_client_secret,
    SANDBOX_REDIRECT_URI: callbackUrl(wiring),
    SANDBOX_WEBHOOK_URL: `${apiUrl(wiring)}/webhooks`,
    SANDBOX_WEBHOOK_SECRET: secrets.webhook_secret,
  };
}

/** Only workers can open tokens. */
export const workerEnvironment = (wiring: Wiring): Variables => ({
  TOKEN_KEYS: wiring.secrets.token_key,
  ...productEnvironment(wiring),
});

/** The API seals codes for workers, and has its own keys for links and cookies. */
export const apiEnvironment = (wiring: Wiring): Variables => ({
  SESSION_KEYS: wiring.secrets.session_key,
  TOKEN_PUBLIC_KEY: wiring.secrets.token_public_key,
  ...without(/^TOKEN_KEYS$/, productEnvironment(wiring)),
  API_PORT: String(wiring.ports.api),
  ADMIN_PORT: String(wiring.ports.admin),
  CODEC_URL: codecUrl(wiring),
});

/** What worker and API share. Variables for Temporal and the provider apply if those are external. */
function productEnvironment(wiring: Wiring): Variables {
  const { variables, secrets, ports, records, temporal, sandbox } = wiring;
  return {
    ENCRYPTION_KEYS: secrets.encryption_key,
    API_KEYS: apiKeyEntry(secrets),
    ...(temporal === undefined ? variables : without(/^TEMPORAL_/, variables)),
    ...(records === undefined
      ? {}
      : { RECORDS_URL: recordsUrl(records, APPLICATION, secrets.records_password) }),
    METRICS_PORT: String(ports.metrics),
    ...(temporal === undefined ? {} : ownTemporal(temporal)),
    ...(sandbox === undefined ? {} : ownProvider(wiring)),
  };
}

/** The role of worker and API, and the database. */
const APPLICATION = 'payto';
const DATABASE = 'payto_records';
const recordsUrl = ({ port }: OwnRecords, user: string, password: string): string =>
  `postgres://${user}:${password}@${LOOPBACK}:${port}/${DATABASE}`;

/** For `npm run migrate`, which runs as the owner of the database. */
export function migrateEnvironment(wiring: Wiring): Variables {
  const { records, secrets } = wiring;
  const environment = workerEnvironment(wiring);
  if (records === undefined) return environment;
  const admin = recordsUrl(records, POSTGRES_OWNER, secrets.records_owner_password);
  return { ...environment, RECORDS_ADMIN_URL: admin };
}

const ownTemporal = ({ port, uiPort, dbFilename }: OwnTemporal): Variables => ({
  TEMPORAL_ADDRESS: `${LOOPBACK}:${port}`,
  TEMPORAL_UI_URL: urlOf(uiPort),
  CODEC_ORIGINS: `${urlOf(uiPort)},http://localhost:${uiPort}`,
  // Settings that a developer configured for other servers must not apply. The file need not exist.
  TEMPORAL_CONFIG_FILE: join(dirname(dbFilename), 'temporal.toml'),
});

/** Accepts the development key beside the configured ones, because we create the first connection with it. */
function ownProvider(wiring: Wiring): Variables {
  const { variables, secrets } = wiring;
  const url = sandboxUrl(wiring) ?? '';
  return {
    API_KEYS: [variables['API_KEYS'], apiKeyEntry(secrets)].filter((entry) => entry !== undefined).join(','),
    PAYMENTS_API_URL: url,
    PAYMENTS_AUTH_URL: url,
    PAYMENTS_API_VERSION: '20260901',
    PAYMENTS_VERSION_HEADER: 'Service-API-Version',
    OAUTH_CLIENT_ID: CLIENT_ID,
    OAUTH_CLIENT_SECRET: secrets.oauth_client_secret,
    OAUTH_REDIRECT_URI: callbackUrl(wiring),
    OAUTH_SCOPES: REVOCABLE_SCOPES.join(' '),
    CONSENT_CONFIRMATION: variables['CONSENT_CONFIRMATION'] ?? 'off',
    WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    WEBHOOK_VERIFIER: 'hmac',
    WEBHOOK_SECRETS: secrets.webhook_secret,
    WEBHOOK_SIGNATURE_HEADER: 'Service-Signature',
    WEBHOOK_REQUEST_ID_HEADER: 'Service-Request-ID',
  };
}
