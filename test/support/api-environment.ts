import { A_PUBLIC_KEY } from './sealing/public-key.js';
import { GOOD as WORKER, aKey } from './worker-environment.js';

export const API = {
  API_KEYS: `ops:ops:operate:${'0'.repeat(64)}`,
  WEBHOOK_VERIFIER: 'hmac',
  WEBHOOK_SECRETS: 'a-secret-of-the-tests',
  PAYMENTS_AUTH_URL: 'https://auth.example',
  OAUTH_CLIENT_ID: 'id',
  OAUTH_REDIRECT_URI: 'https://us.example/oauth/callback',
  OAUTH_SCOPES: 'pay_to_agreements',
  RECORDS_URL: WORKER.RECORDS_URL,
  ENCRYPTION_KEYS: WORKER.ENCRYPTION_KEYS,
  SESSION_KEYS: `s:${aKey('sessions')}`,
  TOKEN_PUBLIC_KEY: A_PUBLIC_KEY,
};
