// Which process talks to which: the settings of one whole set of processes, and the environment each is given.
import { dirname, join } from 'node:path';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
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

export interface Wiring {
  /** The folder of package.json. */
  root: string;
  /** What the processes are given besides. */
  variables: Variables;
  secrets: Secrets;
  ports: { api: number; metrics: number };
  /** Left out, TEMPORAL_ADDRESS in the variables says where one is. */
  temporal?: OwnTemporal | undefined;
  /** Left out, the variables speak of a real provider. */
  sandbox?: { port: number; dataFile: string } | undefined;
}

/** The whole product on free ports and in a folder of its own: for runs that leave nothing behind. */
export async function freshWiring(folder: string, variables: Variables): Promise<Wiring> {
  const { temporal, sandbox } = dataFolder(folder);
  return {
    root: findPackageRoot(),
    variables,
    secrets: newSecrets(),
    ports: { api: await freePort(), metrics: 0 },
    temporal: { port: await freePort(), uiPort: await freePort(), dbFilename: temporal },
    sandbox: { port: await freePort(), dataFile: sandbox },
  };
}

const urlOf = (port: number): string => `http://${LOOPBACK}:${port}`;
export const apiUrl = ({ ports }: Wiring): string => urlOf(ports.api);
export const sandboxUrl = ({ sandbox }: Wiring): string | undefined => sandbox && urlOf(sandbox.port);
/** Where Temporal's UI and CLI have payloads opened, and where an operator signs in for it. */
export const codecUrl = (wiring: Wiring): string => `${apiUrl(wiring)}/codec`;
export const signInUrl = (wiring: Wiring): string => `${codecUrl(wiring)}/login`;
const callbackUrl = (wiring: Wiring): string => `${apiUrl(wiring)}/oauth/callback`;

/** For the sandbox: where it is, who may ask it, and where its webhooks go. */
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

/** For worker and api: the same world. What the variables say of Temporal or the provider is kept where they are used. */
export function productEnvironment(wiring: Wiring): Variables {
  const { variables, secrets, ports, temporal, sandbox } = wiring;
  return {
    ENCRYPTION_KEYS: secrets.encryption_key,
    API_KEYS: apiKeyEntry(secrets),
    ...(temporal === undefined ? variables : without(/^TEMPORAL_/, variables)),
    API_PORT: String(ports.api),
    METRICS_PORT: String(ports.metrics),
    ...(temporal === undefined ? {} : ownTemporal(temporal)),
    ...(sandbox === undefined ? {} : ownProvider(wiring)),
  };
}

const ownTemporal = ({ port, uiPort, dbFilename }: OwnTemporal): Variables => ({
  TEMPORAL_ADDRESS: `${LOOPBACK}:${port}`,
  TEMPORAL_UI_URL: urlOf(uiPort),
  CODEC_ORIGINS: `${urlOf(uiPort)},http://localhost:${uiPort}`,
  // What a developer configured for other servers must not apply to this one; there need be no such file.
  TEMPORAL_CONFIG_FILE: join(dirname(dbFilename), 'temporal.toml'),
});

/** The key of development is accepted beside those that are set: the first connection is begun with it. */
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
    OAUTH_PKCE: 'S256',
    WEBHOOK_VERIFIER: 'hmac',
    WEBHOOK_SECRETS: secrets.webhook_secret,
    WEBHOOK_SIGNATURE_HEADER: 'Service-Signature',
    WEBHOOK_REQUEST_ID_HEADER: 'Service-Request-ID',
  };
}
