import { authorizeUrl } from '../../../../payments-api/authorize-url.js';
import { createOAuth, type OAuth, type TokenAnswer } from '../../../../payments-api/oauth.js';
import { createPaymentsApi, type Call, type PaymentsApi } from '../../../../payments-api/client.js';
import { createWire, type Wire } from './wire.js';
import { startReceiver, type Receiver } from '../../sandbox/receiver.js';
import { REVOCABLE_SCOPES } from '../../../../sandbox/http/scopes.js';
import { startSandbox } from '../../../../sandbox/start.js';
import type { Control } from '../../../../sandbox/control/create.js';

export const VERSIONS = ['20250101', '20260101', '20260901'] as const;
export type Version = (typeof VERSIONS)[number];
export const VERSION_HEADER = 'Service-API-Version';

const CLIENT = { clientId: 'sandbox-client', redirectUri: 'http://127.0.0.1:8080/oauth/callback' };

export const SCOPES = REVOCABLE_SCOPES.join(' ');

export interface World {
  url: string;
  control: Control;
  receiver: Receiver;
  wire: Wire;
  api: PaymentsApi;
  on(version: Version): PaymentsApi;
  call: Call;
  oauth(clientSecret?: string): OAuth;
  consent(scopes?: string): Promise<string>;
  connect(scopes?: string): Promise<TokenAnswer>;
  later(seconds: number): Promise<void>;
  mark(): number;
  close(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const receiver = await startReceiver();
  const sandbox = await startSandbox({ webhookUrl: receiver.url });
  const { url, control } = sandbox;
  const wire = createWire();
  const on = (version: Version): PaymentsApi =>
    createPaymentsApi({
      baseUrl: url,
      version,
      versionHeader: VERSION_HEADER,
      fetch: wire.transport,
    });
  const oauth = (clientSecret = 'sandbox-client-secret'): OAuth =>
    createOAuth({ authUrl: url, clientSecret, ...CLIENT });
  const connect = async (scopes = SCOPES): Promise<TokenAnswer> =>
    oauth().exchangeCode({ code: await consentTo(url, scopes) });
  const world: World = {
    url,
    control,
    receiver,
    wire,
    api: on('20260901'),
    on,
    call: await connect(),
    oauth,
    consent: (scopes = SCOPES) => consentTo(url, scopes),
    connect,
    later: async (seconds) => {
      await control.advance(seconds);
      world.call = await connect();
    },
    mark: () => control.ledger().at(-1)?.seq ?? 0,
    close: async () => {
      await sandbox.close();
      await receiver.close();
    },
  };
  return world;
}

async function consentTo(authUrl: string, scopes: string): Promise<string> {
  const link = new URL(authorizeUrl({ authUrl, ...CLIENT, scopes }, 'state-1'));
  const body = new URLSearchParams([...link.searchParams, ['decision', 'allow']]);
  const pressed = await fetch(`${link.origin}${link.pathname}`, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(pressed.headers.get('location') ?? '');
  if (back.searchParams.get('state') !== 'state-1')
    throw new Error('expected the callback to return our state; got another');
  return back.searchParams.get('code') ?? '';
}
