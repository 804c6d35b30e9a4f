// A new sandbox with our client in front and a webhook receiver behind it. All exchanges are recorded.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { authorizeUrl } from '../../payments-api/authorize-url.js';
import { createOAuth } from '../../payments-api/oauth.js';
import { createPaymentsApi, type Call, type PaymentsApi } from '../../payments-api/client.js';
import { createRecorder, jsonOf, type Exchange } from './recorder.js';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
import { startSandbox } from '../../sandbox/start.js';
import type { Control } from '../../sandbox/control/create.js';

/** The version of the provider's published API files. */
const VERSION = '20260101';
const VERSION_HEADER = 'Service-API-Version';
const LATER_VERSION = '20260901';
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
  api: PaymentsApi;
  /** For operations that only a later version has. */
  later: PaymentsApi;
  call: Call;
  control: Control;
  exchanges: Exchange[];
  /** The bodies received, oldest first. */
  webhooks: unknown[];
  send: (request: Plain) => Promise<void>;
  /** A plain request as documented in the files. @param simulation its simulation, if it must succeed. */
  post: (path: string, body: object, simulation?: string) => Promise<void>;
  tokenFor: (scopes: string) => Promise<string>;
  /** Lets time pass at the provider, then obtains a valid token. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

const ALL_SCOPES = REVOCABLE_SCOPES.join(' ');

/** Starts both on free local ports. */
export async function startWorld(): Promise<World> {
  const receiver = await startReceiver();
  const sandbox = await startSandbox({ webhookUrl: receiver.url });
  const { url, control } = sandbox;
  const exchanges: Exchange[] = [];
  const recorded = createRecorder(exchanges);
  const on = (version: string): PaymentsApi =>
    createPaymentsApi({ baseUrl: url, version, versionHeader: VERSION_HEADER, fetch: recorded('client') });
  const tokenFor = async (scopes: string): Promise<string> => newToken(url, scopes);
  const send = async (request: Plain): Promise<void> => {
    const { method, path, body, token = world.call.accessToken, from = 'simulator', simulation } = request;
    await recorded(from, simulation)(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        [VERSION_HEADER]: VERSION,
      },
      signal: AbortSignal.timeout(LIMIT_MS),
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
  };
  const world: World = {
    ...{
      api: on(VERSION),
      later: on(LATER_VERSION),
      control,
      exchanges,
      webhooks: receiver.bodies,
      send,
      tokenFor,
    },
    call: { accessToken: await tokenFor(ALL_SCOPES) },
    post: async (path, body, simulation) =>
      send({ method: 'POST', path, body: JSON.stringify(body), simulation }),
    pass: async (seconds) => {
      await control.advance(seconds);
      world.call = { accessToken: await tokenFor(ALL_SCOPES) };
    },
    close: async () => {
      await sandbox.close();
      await receiver.close();
    },
  };
  return world;
}

async function newToken(authUrl: string, scopes: string): Promise<string> {
  const oauth = createOAuth({ authUrl, clientSecret: 'sandbox-client-secret', ...CLIENT });
  const { accessToken } = await oauth.exchangeCode({ code: await consentTo(authUrl, scopes) });
  return accessToken;
}

/** Presses Allow on the page of our own link, like a person. */
async function consentTo(authUrl: string, scopes: string): Promise<string> {
  const link = new URL(authorizeUrl({ authUrl, ...CLIENT, scopes }, 'state-1'));
  const body = new URLSearchParams([...link.searchParams, ['decision', 'allow']]);
  const pressed = await fetch(`${link.origin}${link.pathname}`, { method: 'POST', body, redirect: 'manual' });
  return new URL(pressed.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

async function startReceiver() {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(jsonOf(Buffer.concat(chunks)));
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}/webhooks`, bodies, close };
}
