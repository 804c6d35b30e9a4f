// What proves callers and webhooks: the settings, and the files that are read again when they change.
import { ConfigError } from '../settings/read.js';
import { PUBLISHED_REFUSED, hasPublishedSecret } from '../settings/unsafe.js';
import { webhookScheme, type ApiConfig } from './config.js';
import { assertDistinct, parseApiKeys } from './http/api-key-entries.js';
import { linesIn, watchFile, type WatchedFile } from './http/watched-file.js';
import { parseWebhookSecrets, verifyWith } from './webhook-secrets.js';
import type { Logger } from '../telemetry/logger.js';
import type { ApiKey } from './http/api-keys.js';
import type { VerifyWebhook } from './http/dependencies.js';

/** The API keys that are valid now. @throws ConfigError */
export function keysOf(config: ApiConfig, log: Logger, now: () => number): () => ApiKey[] {
  const { API_KEYS: given = [], API_KEYS_FILE: path } = config;
  const parse = (text: string): ApiKey[] => {
    const keys = [...given, ...parseApiKeys(linesIn(text))];
    assertDistinct(keys);
    return keys;
  };
  const file = path === undefined ? undefined : watched('API_KEYS_FILE', path, parse, { config, log });
  const isValid = ({ until = Infinity }: ApiKey): boolean => now() < until;
  return () => (file?.current() ?? given).filter(isValid);
}

/** Verifies webhooks by the secrets that are valid now. @throws ConfigError */
export function webhookVerifierOf(config: ApiConfig, log: Logger): VerifyWebhook {
  const { WEBHOOK_SECRETS_FILE: path } = config;
  const parse = (text: string) => parseWebhookSecrets(text, webhookScheme(config));
  if (path === undefined) {
    const given = parse('');
    return verifyWith(() => given);
  }
  return verifyWith(watched('WEBHOOK_SECRETS_FILE', path, parse, { config, log }).current);
}

/** Starts with a valid file only. A fault of a later version is logged (http/watched-file.ts says what stays valid). */
function watched<T>(
  name: string,
  path: string,
  parse: (text: string) => T,
  { config, log }: { config: ApiConfig; log: Logger },
): WatchedFile<T> {
  const isSandbox = config.INSECURE_SANDBOX === 'on';
  const parseOwn = (text: string): T => {
    if (!isSandbox && hasPublishedSecret(text)) throw new Error(PUBLISHED_REFUSED);
    return parse(text);
  };
  const onChange = (problem?: string): void => {
    if (problem === undefined) log.info('file read again', { variable: name });
    else log.error('file not used', { variable: name, problem });
  };
  try {
    return watchFile({ path, parse: parseOwn, onChange });
  } catch (error) {
    const isOfFile = error instanceof Error && 'code' in error;
    throw new ConfigError([
      `${name}: ${isOfFile || !(error instanceof Error) ? 'expected a readable file' : error.message}`,
    ]);
  }
}
