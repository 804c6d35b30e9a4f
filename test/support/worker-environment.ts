import { createHash } from 'node:crypto';
import { NOWHERE } from './records.js';

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
