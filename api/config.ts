// The API's configuration, read once from the environment. No other file in `api/` reads environment variables.
import { z } from 'zod';
import { HIGH_RISK_VARIABLES } from '../domain/client/high-risk.schema.js';
import { VERIFIERS, createVerifier, type VerifierOptions } from '../payments-api/webhook.js';
import { recordsUrl } from '../records/settings.schema.js';
import { CLEAR_PAYLOADS } from '../sealing/data-converter.js';
import { parseKeyring } from '../sealing/keyring.js';
import { parsePublicKey, publicKeyOf } from '../sealing/public-key.js';
import { secretOf, type Secret } from '../sealing/secret.js';
import {
  ALLOW_PLAINTEXT_TO,
  INSECURE_SANDBOX,
  WEBHOOK_PRIVATE_ADDRESSES,
  httpUrl,
  onOff,
  parsed,
  port,
  required,
} from '../settings/forms.js';
import { ConfigError, readSettings } from '../settings/read.js';
import type { TemporalSettings } from '../settings/temporal.js';
import { UNAVAILABLE } from './http/dependencies.js';
import { parseApiKeys } from './http/api-key-entries.js';
import { parseHosts, parseOrigins, parseReturnUrls } from './address-lists.js';

const rate = z
  .string()
  .regex(/^\d{1,5}$/, 'expected whole requests per second, 0 to 99999')
  .transform(Number);

/** The environment variables. `npm run docs:configuration` writes the descriptions into docs/configuration.md. */
export const ApiEnvironment = z.object({
  API_HOST: z.string().default('127.0.0.1').describe('the address that the API listens on'),
  API_PORT: port.default(8080).describe('the port that the API listens on'),
  ADMIN_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address of the admin port: metrics, readiness and the codec'),
  ADMIN_PORT: port
    .default(8081)
    .describe(
      'the admin port. It serves `/metrics` and `/readyz` without a key, so keep it within your network',
    ),
  ADMIN_HOSTS: z
    .string()
    .default('')
    .transform(parsed(parseHosts))
    .describe(
      'the names under which the admin port is reached besides `localhost`, its addresses and the host of CODEC_URL, comma-separated: `api,payto.internal`. Requests to other names are refused, because a foreign page could otherwise read the answers (DNS rebinding)',
    ),
  DOCS: onOff
    .default('on')
    .describe('`off` removes `/docs`, `/llms.txt` and `/openapi.json` from the public port'),
  API_RATE_PER_KEY: rate
    .default(200)
    .describe(
      'the requests per second of one API key, on average over ten seconds and in each API process; `0`: no limit. Webhooks have none',
    ),
  API_RATE_PER_ADDRESS: rate
    .default(20)
    .describe('the same for callers without a valid API key, by their address'),
  API_CONNECTIONS_PER_ADDRESS: z
    .string()
    .regex(/^\d{1,4}$/, 'expected a whole number, 0 to 9999')
    .transform(Number)
    .default(600)
    .describe(
      'how many connections of one address may be open to the public port; further ones are closed. `0`: no limit. A key may wait in 500 requests at once, and each needs a connection. Not used with TRUSTED_PROXIES, because all connections then have the address of the proxy: let the proxy limit them',
    ),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^\d$/, 'expected a whole number, 0 to 9')
    .transform(Number)
    .default(0)
    .describe(
      'how many proxies in front of the API add the address of their client to `X-Forwarded-For` ([example](deployment.md#in-front-of-the-api)). With 0, the address is that of the connection',
    ),
  API_KEYS: z
    .string()
    .transform(parsed((text: string) => parseApiKeys(text.split(','))))
    .optional()
    .describe(
      'the API keys of callers, comma-separated: `id:principal:scope+scope:sha256hex`, then optionally `;connections=id+id` and `;until=2027-01-31T00:00:00Z`. `npm run -s keys -- api` makes one. The principal is the stable name of a caller, the same for all its keys ([keys](operating.md#principals)). The scopes are `read`, `write`, `operate`, `stop`, `decode` and `personal`. Required without API_KEYS_FILE',
    ),
  API_KEYS_FILE: z
    .string()
    .optional()
    .describe(
      'a file with further API keys, an entry of API_KEYS in each line. It is read again when it changes, so keys rotate without a restart. A key that left the file ends, even if another line has a fault ([keys](operating.md#keys))',
    ),
  TASK_QUEUE: z.string().default('payto').describe('the Temporal task queue of the workflows and activities'),
  TEMPORAL_UI_URL: httpUrl()
    .optional()
    .describe('the base URL of Temporal’s UI, used for `links.temporal_ui` in responses'),
  WEBHOOK_VERIFIER: z
    .enum(VERIFIERS, `expected ${VERIFIERS.join(' or ')}`)
    .describe(
      'the scheme that verifies webhooks: `hmac` (the provider’s signature), `standard` (Standard Webhooks) or `bearer`',
    ),
  WEBHOOK_SECRETS: z
    .string()
    .transform(parsed(parseSecrets))
    .optional()
    .describe(
      'the webhook secrets of the application, comma-separated; a webhook may use any of them. They prove events of every connection. Required without WEBHOOK_SECRETS_FILE',
    ),
  WEBHOOK_SECRETS_FILE: z
    .string()
    .optional()
    .describe(
      'a file with further webhook secrets, one in each line: `*:secret` for the application, `connection:secret` for a connection. The latter proves only webhooks to `/webhooks/{connection}` and events of that connection. It is read again when it changes, as API_KEYS_FILE',
    ),
  WEBHOOK_SIGNATURE_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header')
    .default('Service-Signature')
    .describe('the header that carries the signature'),
  WEBHOOK_REQUEST_ID_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header')
    .default('Service-Request-ID')
    .describe(
      'the header that carries the provider’s request id; the API logs the id with each verified webhook',
    ),
  WEBHOOK_TOLERANCE_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'expected whole seconds, 1 to 99999')
    .transform(Number)
    .default(300)
    .describe(
      'the maximum difference between the signature’s timestamp and the clock of the API, in seconds; beyond it, the API treats the events as unconfirmed',
    ),
  WEBHOOK_PATIENCE_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'expected whole seconds, 0 to 999')
    .transform(Number)
    .default(10)
    .describe('how many seconds the API retries storing a webhook in Temporal before it gives up'),
  WEBHOOK_UNAVAILABLE: z
    .enum(UNAVAILABLE, `expected ${UNAVAILABLE.join(' or ')}`)
    .default('close')
    .describe(
      'the response to a webhook that the API could not store: `close` closes the connection without a response, because the provider only resends webhooks that got none; `503` is for a sender that retries on that status',
    ),
  WEBHOOK_PRIVATE_ADDRESSES,
  PAYMENTS_AUTH_URL: httpUrl().describe('the base URL of the authorisation server'),
  PAYMENTS_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, 'expected 8 digits, YYYYMMDD')
    .default('20260901'),
  CLIENT_DEPTH: z
    .string()
    .regex(/^([2-9]|10)$/, 'expected a whole number, 2 to 10')
    .transform(Number)
    .default(2)
    .describe(
      'how many client levels the provider has enabled for the organisation, including the primary client; with 2, no client may have a parent',
    ),
  ...HIGH_RISK_VARIABLES,
  OAUTH_CLIENT_ID: required('the client id of the OAuth application').describe(
    'the client id of the registered OAuth application',
  ),
  OAUTH_REDIRECT_URI: httpUrl().describe(
    'the registered redirect URI, ending in the API’s `/oauth/callback`. If it uses https, the cookies of consents do too',
  ),
  OAUTH_SCOPES: required('scopes, separated by spaces')
    .refine((scopes) => scopes.trim() !== '', 'expected scopes, separated by spaces')
    .refine(
      (scopes) => !scopes.split(/[\s,]+/).includes('offline_access'),
      'expected scopes without offline_access, whose tokens cannot be revoked',
    )
    .describe('the OAuth scopes to request, separated by spaces; `offline_access` is not allowed'),
  OAUTH_PKCE: z
    .enum(['off', 'S256'], 'expected off or S256')
    .default('S256')
    .describe(
      'PKCE (RFC 7636): a code is valid only for the link that requested it. `off` if the authorisation server refuses the parameters; servers without PKCE ignore them',
    ),
  CONSENT_CONFIRMATION: onOff
    .default('on')
    .describe(
      '`off` if the first account of a connection needs no confirmation: any merchant who receives the link then connects their account ([custody](custody.md#the-account-of-a-connection))',
    ),
  DUAL_CONTROL: onOff
    .default('off')
    .describe(
      '`on` if a second principal must approve what is dangerous: first and other accounts, parked payments and refunds, the stops of others, revocations. With `off`, only its principal can end a stop ([dual control](operating.md#approve-a-request))',
    ),
  RETURN_URLS: z
    .string()
    .default('')
    .transform(parsed(parseReturnUrls))
    .describe(
      'the pages that browsers may return to after a consent (`return_url`), without a query, comma-separated: `https://app.example/connected`',
    ),
  CODEC_URL: httpUrl()
    .optional()
    .describe(
      'the URL of the codec for browsers, `https://…/codec`. If it uses https, its cookie does too. Default: `/codec` at the admin port of this machine',
    ),
  CODEC_ORIGINS: z
    .string()
    .default('')
    .transform(parsed(parseOrigins))
    .describe(
      'the origins of Temporal’s UI (`https://temporal.example`), comma-separated; only their pages may call `/codec/decode`',
    ),
  RECORDS_URL: recordsUrl.describe(
    'the database of the records as postgres://user:password@host:port/database, for the application’s role. TLS is verified, with the authorities of `sslrootcert` if given; `sslmode=disable` only to this machine and to hosts of ALLOW_PLAINTEXT_TO',
  ),
  RECORDS_LISTEN_URL: recordsUrl
    .optional()
    .describe(
      'as RECORDS_URL, for the one connection that listens for changed rows (LISTEN); set it if RECORDS_URL leads to a transaction pooler. Default: RECORDS_URL',
    ),
  ENCRYPTION_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated')
    .transform(parsed(parseKeyring))
    .describe(
      'the encryption keys of payloads and records, comma-separated: `kid:base64key` with 32 bytes each. The first key seals, and all keys open; `npm run -s keys` generates one ([custody](custody.md))',
    ),
  SESSION_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated')
    .transform(parsed(parseKeyring))
    .describe(
      'the API’s own keys, in the form of ENCRYPTION_KEYS: they seal consent links, OAuth states, the codec’s cookie and list cursors',
    ),
  TOKEN_PUBLIC_KEY: required('kid:base64key as printed by `npm run -s keys -- token`')
    .transform(parsed(parsePublicKey))
    .describe(
      'the public key that seals the codes of consents for workers: of a key in TOKEN_KEYS. The API cannot open tokens',
    ),
  INSECURE_SANDBOX,
  ALLOW_PLAINTEXT_TO,
  PAYLOADS_IN_CLEAR: z
    .enum(CLEAR_PAYLOADS, `expected ${CLEAR_PAYLOADS.join(' or ')}`)
    .default('refuse')
    .describe(
      '`read` while the namespace still contains runs with unsealed payloads ([custody](custody.md))',
    ),
});

export type ApiConfig = z.output<typeof ApiEnvironment> & { temporal: TemporalSettings };

/**
 * Reads and validates all variables.
 * @throws ConfigError with all invalid variables.
 */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): ApiConfig {
  const config = readSettings(ApiEnvironment, variables);
  const { API_KEYS, API_KEYS_FILE, WEBHOOK_SECRETS, WEBHOOK_SECRETS_FILE } = config;
  const missing = [
    ...((API_KEYS ?? API_KEYS_FILE) === undefined
      ? ['API_KEYS: expected id:principal:scope+scope:sha256hex, comma-separated; or API_KEYS_FILE']
      : []),
    ...((WEBHOOK_SECRETS ?? WEBHOOK_SECRETS_FILE) === undefined
      ? ['WEBHOOK_SECRETS: expected at least one secret, comma-separated; or WEBHOOK_SECRETS_FILE']
      : []),
  ];
  if (missing.length > 0) throw new ConfigError(missing);
  if (WEBHOOK_SECRETS !== undefined) assertVerifiable(config);
  return config;
}

/**
 * The API must not have the key whose public key is TOKEN_PUBLIC_KEY, because it would open every token.
 * @throws ConfigError
 */
export async function assertTokensApart(config: ApiConfig): Promise<void> {
  for (const name of ['ENCRYPTION_KEYS', 'SESSION_KEYS'] as const)
    for (const { id } of config[name]) {
      const { bytes } = await publicKeyOf(config[name], id);
      if (Buffer.compare(bytes, config.TOKEN_PUBLIC_KEY.bytes) === 0)
        throw new ConfigError([
          `TOKEN_PUBLIC_KEY: expected that of a key only in TOKEN_KEYS of the workers; this one belongs to a key of ${name}. npm run -s keys -- token makes one`,
        ]);
    }
}

/** The configured webhook scheme. */
export const webhookScheme = (config: z.output<typeof ApiEnvironment>): VerifierOptions => ({
  verifier: config.WEBHOOK_VERIFIER,
  secrets: (config.WEBHOOK_SECRETS ?? []).map((secret) => secret.reveal()),
  signatureHeader: config.WEBHOOK_SIGNATURE_HEADER,
  toleranceSeconds: config.WEBHOOK_TOLERANCE_SECONDS,
});

/** Only the verifier knows whether its secrets are usable. @throws ConfigError */
function assertVerifiable(config: z.output<typeof ApiEnvironment>): void {
  try {
    createVerifier(webhookScheme(config));
  } catch {
    throw new ConfigError([
      `WEBHOOK_SECRETS: expected secrets that the verifier ${config.WEBHOOK_VERIFIER} can use`,
    ]);
  }
}

function parseSecrets(text: string): Secret[] {
  const secrets = text.split(',').map((secret) => secret.trim());
  if (secrets.includes('')) throw new Error('expected secrets that are not empty, comma-separated');
  return secrets.map(secretOf);
}
