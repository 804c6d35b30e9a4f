import { KEYS, type Api, aRound } from './app.js';
import { createHash } from 'node:crypto';
import { CONSENT_TICKET_CONTEXT } from '../../../sealing/contexts.js';
import { seal } from '../../../sealing/keyring.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The token of the forms of a page. */
export const tokenIn = (page: string): string => /name="form_token" value="([\w-]+)"/.exec(page)?.[1] ?? '';

/** A person with a browser, who is at the console. */
export function aPerson(
  { admin }: Api,
  others: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
) {
  let cookie = '';
  const request = async (path: string, init: RequestInit = {}) => {
    const headers = { ...others, cookie, ...(init.headers as Record<string, string> | undefined) };
    const answer = await admin.request(path, { ...init, headers });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return answer;
  };
  const submit = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    request(path, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(form).toString(),
    });
  const get = (path: string) => request(path);
  return {
    get,
    page: async (path: string) => (await get(path)).text(),
    signIn: (key: string = KEYS.all, more: Record<string, string> = {}) =>
      submit('/console/sign-in', { key, ...more }),
    /** With the token of the session, unless the form has one. */
    send: async (path: string, form: Record<string, string>, headers: Record<string, string> = {}) => {
      const form_token = tokenIn(await (await get('/console/search')).text());
      return submit(path, { form_token, ...form }, headers);
    },
  };
}

export const COOKIE = 'c'.repeat(43);
export const BROWSER = createHash('sha256').update(COOKIE).digest('base64url');

export const ticketOf = ({ sessionKeys }: Api, over: object = {}): string =>
  seal(sessionKeys, JSON.stringify({ connection: 'acme', ...aRound(), ...over }), CONSENT_TICKET_CONTEXT);

export const press = async ({ app }: Api, ticket: string, headers: Record<string, string> = {}) =>
  app.request(`/oauth/begin/${ticket}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie: `__Host-payto_consent=${COOKIE}`, ...headers },
  });

/** A person who has signed in with a key. */
export async function signedIn(api: Api, key: string = KEYS.all) {
  const person = aPerson(api);
  await person.signIn(key);
  return person;
}

/** Binds the first key to one connection. */
export function boundTo(api: Api, connection: string): void {
  const [first] = api.keysNow;
  if (first !== undefined) api.keysNow.splice(0, 1, { ...first, connections: [connection] });
}
