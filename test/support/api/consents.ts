import { createHash } from 'node:crypto';
import { CONSENT_TICKET_CONTEXT } from '../../../sealing/contexts.js';
import { seal } from '../../../sealing/keyring.js';
import { aRound, type Api } from './app.js';

export const COOKIE = 'c'.repeat(43);
export const BROWSER = createHash('sha256').update(COOKIE).digest('base64url');

export const ticketOf = ({ sessionKeys }: Api, over: object = {}): string =>
  seal(sessionKeys, JSON.stringify({ connection: 'acme', ...aRound(), ...over }), CONSENT_TICKET_CONTEXT);

export const press = async ({ app }: Api, ticket: string, headers: Record<string, string> = {}) =>
  app.request(`/oauth/begin/${ticket}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie: `__Host-payto_consent=${COOKIE}`, ...headers },
  });
