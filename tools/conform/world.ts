// A new sandbox with our client in front. All exchanges are recorded.
import { authorizeUrl } from '../../payments-api/authorize-url.js';
import { createOAuth, type OAuth, type TokenAnswer } from '../../payments-api/oauth.js';
import { createPaymentsApi, type Call, type PaymentsApi } from '../../payments-api/client.js';
import { createRecorder, type Exchange } from './recorder.js';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
import { startSandbox } from '../../sandbox/start.js';
import type { Control } from '../../sandbox/control/create.js';
import type { Transport } from '../../payments-api/http/transport.js';

export const VERSIONS = ['20250101', '20260101', '20260901'] as const;
export type Version = (typeof VERSIONS)[number];
export const LATEST = '20260901' satisfies Version;
export const VERSION_HEADER = 'Service-API-Version';
export const SCOPES = REVOCABLE_SCOPES.join(' ');
const LIMIT_MS = 20_000;
const CLIENT = { clientId: 'sandbox-client', redirectUri: 'http://127.0.0.1:8080/oauth/callback' };

export interface Plain {
  method: string;
  /** Includes the query. */
  path: string;
  body?: string | undefined;
  token?: string;
  from?: Exchange['from'];
  simulation?: string | undefined;
}

export interface World {
  url: string;
  control: Control;
  version: Version;
  api: PaymentsApi;
  /** The client on another version. */
  on: (version: Version) => PaymentsApi;
  call: Call;
  exchanges: Exchange[];
  /** The newest exchange. */
  last: () => Exchange;
  oauth: (clientSecret?: string) => OAuth;
  /** Returns a one-time code. */
  consent: (scopes?: string) => Promise<string>;
  connect: (scopes?: string) => Promise<TokenAnswer>;
  send: (request: Plain) => Promise<void>;
  /** A plain request as documented in the files. @param simulation its simulation, if it must succeed. */
  post: (path: string, body: object, simulation?: string) => Promise<void>;
  /** Lets time pass at the provider, then obtains a valid token. */
  pass: (seconds: number) => Promise<void>;
  close: () => Promise<void>;
}

export interface WorldOptions {
  webhookUrl: string;
  version?: Version;
  carry?: Transport;
}

/** Starts the sandbox on a free local port. @param carry sends the requests; a test can replace it. */
export async function startWorld({ webhookUrl, version = LATEST, carry }: WorldOptions): Promise<World> {
  const sandbox = await startSandbox({ webhookUrl });
  const { url, control } = sandbox;
  const exchanges: Exchange[] = [];
  const recorded = createRecorder(exchanges, carry);
  const on = (other: Version): PaymentsApi =>
    createPaymentsApi({
      ...{ baseUrl: url, version: other, versionHeader: VERSION_HEADER, fetch: recorded('client') },
    });
  const oauth = (clientSecret = 'sandbox-client-secret'): OAuth =>
    createOAuth({ authUrl: url, clientSecret, ...CLIENT });
  const consent = async (scopes = SCOPES): Promise<string> => consentTo(url, scopes);
  const connect = async (scopes?: string): Promise<TokenAnswer> =>
    oauth().exchangeCode({ code: await consent(scopes) });
  const send = async (request: Plain): Promise<void> => {
    const { method, path, body, token = world.call.accessToken, from = 'simulator', simulation } = request;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await recorded(from, simulation)(`${url}${path}`, {
      method,
      headers: { ...headers, [VERSION_HEADER]: version },
      signal: AbortSignal.timeout(LIMIT_MS),
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
  };
  const world: World = {
    ...{ url, control, version, api: on(version), on, exchanges, oauth, consent, connect, send },
    call: await connect(),
    last: () => newestOf(exchanges),
    post: async (path, body, simulation) =>
      send({ method: 'POST', path, body: JSON.stringify(body), simulation }),
    pass: async (seconds) => {
      await control.advance(seconds);
      world.call = await connect();
    },
    close: async () => sandbox.close(),
  };
  return world;
}

function newestOf(exchanges: readonly Exchange[]): Exchange {
  const exchange = exchanges.at(-1);
  if (exchange === undefined) throw new Error('expected an exchange; found none');
  return exchange;
}

/** Presses Allow on the page of our own link, like a person. */
async function consentTo(authUrl: string, scopes: string): Promise<string> {
  const link = new URL(authorizeUrl({ authUrl, ...CLIENT, scopes }, 'state-1'));
  const body = new URLSearchParams([...link.searchParams, ['decision', 'allow']]);
  const pressed = await fetch(`${link.origin}${link.pathname}`, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(pressed.headers.get('location') ?? '');
  if (back.searchParams.get('state') !== 'state-1')
    throw new Error('expected the callback to return our state; got another');
  return back.searchParams.get('code') ?? '';
}
