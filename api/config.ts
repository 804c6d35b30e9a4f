// The API's configuration, read once from the environment. The only file of this room that reads it.
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { ClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { HIGH_RISK_VARIABLES } from '../domain/client/high-risk.schema.js';
import { VERIFIERS, createVerifier } from '../payments-api/webhook.js';
import type { VerifierOptions } from '../payments-api/webhook.js';
import { CLEAR_PAYLOADS } from '../sealing/data-converter.js';
import { parseKeyring } from '../sealing/keyring.js';
import { secretOf } from '../sealing/secret.js';
import type { Secret } from '../sealing/secret.js';
import { UNAVAILABLE } from './http/dependencies.js';
import { SCOPES } from './http/api-keys.js';
import type { ApiKey, Scope } from './http/api-keys.js';

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'expected a port, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'expected a port, 0 to 65535');

const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });

const required = (what: string) => z.string({ error: `expected ${what}` });

/** Each variable with what it is for, which `npm run docs:configuration` writes into docs/configuration.md. */
export const ApiEnvironment = z.object({
  API_HOST: z.string().default('127.0.0.1').describe('the address that the API listens on'),
  API_PORT: port.default(8080).describe('the port that the API listens on'),
  API_KEYS: required('id:principal:scope+scope:sha256hex, comma-separated')
    .transform(parsed(parseApiKeys))
    .describe(
      'who may call the API: `id:principal:scope+scope:sha256hex`, comma-separated; the principal is the stable name of the caller, the same for each of its keys ([keys](operating.md#principals)); the scopes are `read`, `write`, `operate` and `personal`',
    ),
  TASK_QUEUE: z.string().default('payto').describe('the task queue of our workflows and activities'),
  TEMPORAL_UI_URL: httpUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('where operators reach Temporal’s UI, for `links.temporal_ui` of answers'),
  WEBHOOK_VERIFIER: z
    .enum(VERIFIERS, `expected ${VERIFIERS.join(' or ')}`)
    .describe(
      'how webhooks are verified: `hmac` (the provider’s own signature), `standard` (Standard Webhooks) or `bearer`',
    ),
  WEBHOOK_SECRETS: required('at least one secret, comma-separated')
    .transform(parsed(parseSecrets))
    .describe('the secrets of the webhooks, comma-separated; each of them is accepted'),
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
      'the header that carries the provider’s request id, which is logged with each verified webhook',
    ),
  WEBHOOK_TOLERANCE_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'expected whole seconds, 1 to 99999')
    .transform(Number)
    .default(300)
    .describe(
      'how many seconds the time of a signature may lie in the past or in the future; what it says beyond that is taken as unconfirmed',
    ),
  WEBHOOK_PATIENCE_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'expected whole seconds, 0 to 999')
    .transform(Number)
    .default(10)
    .describe(
      'for how many seconds a webhook that Temporal does not take is tried again before it is given up',
    ),
  WEBHOOK_UNAVAILABLE: z
    .enum(UNAVAILABLE, `expected ${UNAVAILABLE.join(' or ')}`)
    .default('close')
    .describe(
      'what becomes of a webhook that was given up: `close` the connection without an answer, as the provider sends again only what was not answered; or answer `503`, for one that repeats on that',
    ),
  PAYMENTS_AUTH_URL: httpUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('the base URL of the authorisation server'),
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
      'how many levels of clients the provider has enabled for the organisation, the primary client being the first; with 2, no client may name a parent',
    ),
  ...HIGH_RISK_VARIABLES,
  OAUTH_CLIENT_ID: required('the client id of our OAuth profile').describe(
    'the client id of the registered application',
  ),
  OAUTH_REDIRECT_URI: httpUrl.describe(
    'the redirect URI as registered, which ends in `/oauth/callback` of the API. Where it is https, so are the cookie and the origin of `/codec`',
  ),
  OAUTH_SCOPES: required('scopes, separated by spaces')
    .refine((scopes) => scopes.trim() !== '', 'expected scopes, separated by spaces')
    .refine(
      (scopes) => !scopes.split(/[\s,]+/).includes('offline_access'),
      'expected no offline_access: its tokens cannot be revoked',
    )
    .describe('the scopes to ask for, separated by spaces; `offline_access` is refused'),
  OAUTH_PKCE: z
    .enum(['off', 'S256'], 'expected off or S256')
    .default('off')
    .describe('`S256` where the authorisation server takes PKCE (RFC 7636)'),
  CODEC_ORIGINS: z
    .string()
    .default('')
    .transform(parsed(parseOrigins))
    .describe(
      'the origins of Temporal’s UI (`https://temporal.example`), comma-separated: the pages that may ask `/codec/decode`',
    ),
  ENCRYPTION_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated')
    .transform(parsed(parseKeyring))
    .describe(
      '`kid:base64key` (32 bytes each), comma-separated: the first seals, every one opens; `npm run -s keys` makes one ([custody](custody.md))',
    ),
  PAYLOADS_IN_CLEAR: z
    .enum(CLEAR_PAYLOADS, `expected ${CLEAR_PAYLOADS.join(' or ')}`)
    .default('refuse')
    .describe(
      '`read` while a namespace still holds runs whose payloads are not sealed ([custody](custody.md))',
    ),
});

export type ApiConfig = z.output<typeof ApiEnvironment> & { temporal: TemporalConfig };

/** Where Temporal is. The options to connect include its API key and its TLS key. */
export interface TemporalConfig {
  namespace: string;
  address: string;
  connectionOptions: Secret<ClientConnectConfig['connectionOptions']>;
}

/** What is missing or wrong: one line for each variable, which names it and never quotes its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/**
 * Reads and checks everything at once. An empty variable counts as one that is not set.
 * @throws ConfigError
 */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): ApiConfig {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''));
  const { success, data, error } = ApiEnvironment.safeParse(given);
  const lines = new Map<string, string>();
  for (const { path, message } of error?.issues ?? []) {
    const name = path.join('.');
    if (!lines.has(name)) lines.set(name, `${name}: ${message}`);
  }
  if (!success) throw new ConfigError([...lines.values()]);
  assertVerifiable(data);
  return { ...data, temporal: temporalConfig(variables) };
}

/** How webhooks are verified. */
export const webhookScheme = (config: z.output<typeof ApiEnvironment>): VerifierOptions => ({
  verifier: config.WEBHOOK_VERIFIER,
  secrets: config.WEBHOOK_SECRETS.map((secret) => secret.reveal()),
  signatureHeader: config.WEBHOOK_SIGNATURE_HEADER,
  toleranceSeconds: config.WEBHOOK_TOLERANCE_SECONDS,
});

/** Whether a secret is of use depends on the verifier, which alone knows. */
function assertVerifiable(config: z.output<typeof ApiEnvironment>): void {
  try {
    createVerifier(webhookScheme(config));
  } catch {
    throw new ConfigError([
      `WEBHOOK_SECRETS: expected secrets that the verifier ${config.WEBHOOK_VERIFIER} can use`,
    ]);
  }
}

/** Temporal's own variables and profile file, which its library reads and words. */
function temporalConfig(variables: NodeJS.ProcessEnv): TemporalConfig {
  const overrideEnvVars = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  try {
    const { namespace = 'default', connectionOptions } = loadClientConnectConfig({ overrideEnvVars });
    const { address = 'localhost:7233' } = connectionOptions;
    if (isAddress(address)) return { namespace, address, connectionOptions: secretOf(connectionOptions) };
  } catch {
    // The library's message may quote the file.
  }
  throw new ConfigError([
    'TEMPORAL_*: expected what the Temporal CLI expects (TEMPORAL_ADDRESS, TEMPORAL_PROFILE, …)',
  ]);
}

/** `host` or `host:port`, and nothing besides: Temporal's client quotes any other form in its message. */
const isAddress = (text: string): boolean => /^[\w.:[\]-]+$/.test(text);

/** Turns a parser that throws into one that reports. Its messages say what was expected, never what was met. */
function parsed<T>(parse: (text: string) => T) {
  return (text: string, context: z.RefinementCtx<string>): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof Error ? error.message : 'expected something else',
      });
      return z.NEVER;
    }
  };
}

function parseSecrets(text: string): Secret[] {
  const secrets = text.split(',').map((secret) => secret.trim());
  if (secrets.includes('')) throw new Error('expected secrets that are not empty, comma-separated');
  return secrets.map(secretOf);
}

/** Exactly as a browser names an origin, since that is what they are compared with. */
function parseOrigins(text: string): string[] {
  const origins = text.split(',').flatMap((entry) => entry.trim() || []);
  if (origins.every(isOrigin)) return origins;
  throw new Error('expected origins such as https://temporal.example, without a path, comma-separated');
}
const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

function parseApiKeys(text: string): ApiKey[] {
  const keys = text.split(',').map((entry) => parseApiKey(entry.trim()));
  if (new Set(keys.map(({ id }) => id)).size === keys.length) return keys;
  throw new Error('expected an id of its own for each key; several keys may have the same principal');
}

function parseApiKey(entry: string): ApiKey {
  const [, id, principal, words, sha256] =
    /^([\w-]{1,32}):([\w-]{1,32}):([a-z+]+):([0-9a-f]{64})$/i.exec(entry) ?? [];
  const scopes = (words ?? '').split('+').filter(isScope);
  if (!id || !principal || !sha256 || scopes.length !== words?.split('+').length) {
    throw new Error(
      `expected id:principal:scope+scope:sha256hex, comma-separated: id and principal of 1 to 32 of A-Z, a-z, 0-9, _ and -, scopes of ${SCOPES.join(', ')}`,
    );
  }
  return { id, principal, scopes, sha256: secretOf(Buffer.from(sha256, 'hex')) };
}

const isScope = (word: string): word is Scope => SCOPES.some((scope) => scope === word);
