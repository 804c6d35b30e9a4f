import { NOWHERE } from './records.js';

export const GOOD = {
  PAYMENTS_API_URL: 'https://api.example',
  PAYMENTS_AUTH_URL: 'https://auth.example',
  OAUTH_CLIENT_ID: 'id',
  OAUTH_CLIENT_SECRET: 'a-secret',
  OAUTH_REDIRECT_URI: 'https://us.example/oauth/callback',
  RECORDS_URL: NOWHERE,
  TOKEN_KEYS: `t:${Buffer.alloc(32, 1).toString('base64')}`,
  ENCRYPTION_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
};
