import { createHash } from 'node:crypto';
import { NOWHERE } from './records.js';
import { A_PUBLIC_KEY } from './sealing/keyrings.js';
import { ConfigError } from '../../settings/read.js';

export const aKey = (of: string) => createHash('sha256').update(of).digest('base64');

export const GOOD = {
  PAYMENTS_API_URL: 'https://api.example',
  PAYMENTS_AUTH_URL: 'https://auth.example',
  OAUTH_CLIENT_ID: 'id',
  OAUTH_CLIENT_SECRET: 'a-secret-of-the-tests',
  OAUTH_REDIRECT_URI: 'https://us.example/oauth/callback',
  RECORDS_URL: NOWHERE,
  TOKEN_KEYS: `t:${aKey('tokens')}`,
  ENCRYPTION_KEYS: `k:${aKey('payloads')}`,
};

export const API = {
  API_KEYS: `ops:ops:operate:${'0'.repeat(64)}`,
  WEBHOOK_VERIFIER: 'hmac',
  WEBHOOK_SECRETS: 'a-secret-of-the-tests',
  PAYMENTS_AUTH_URL: 'https://auth.example',
  OAUTH_CLIENT_ID: 'id',
  OAUTH_REDIRECT_URI: 'https://us.example/oauth/callback',
  OAUTH_SCOPES: 'pay_to_agreements',
  RECORDS_URL: GOOD.RECORDS_URL,
  ENCRYPTION_KEYS: GOOD.ENCRYPTION_KEYS,
  SESSION_KEYS: `s:${aKey('sessions')}`,
  TOKEN_PUBLIC_KEY: A_PUBLIC_KEY,
};

export function refusedLines(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  throw new Error('expected the settings to be refused');
}
