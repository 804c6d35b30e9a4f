// What the cost is counted on: the whole product as `npm start` brings it up, on free ports and in a folder that goes again.
// Between the provider and the API stands a relay that keeps each webhook as it came, to be sent once more as it was.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import getPort from 'get-port';
import { createApi } from '../cli/api.js';
import { launch } from '../cli/child.js';
import { readForeignVariables } from '../cli/config.js';
import { ensureConsent } from '../cli/consent.js';
import { createCrew } from '../cli/crew.js';
import { dataFolder } from '../cli/data-folder.js';
import { createProvider } from '../cli/demo/provider.js';
import { callJson } from '../cli/http.js';
import { Anything } from '../cli/answers.schema.js';
import { programWords } from '../cli/program.js';
import { newSecrets } from '../cli/secrets.js';
import { bringUp } from '../cli/stack.js';
import { LOOPBACK, productEnvironment } from '../cli/wiring.js';
import { findPackageRoot } from '../tools/temporal/cache.js';
import type { IncomingMessage } from 'node:http';
import type { Api } from '../cli/api.js';
import type { Crew } from '../cli/crew.js';
import type { Provider } from '../cli/demo/provider.js';
import type { Wiring } from '../cli/wiring.js';

export const CONNECTION = 'bench';

export interface CostStack {
  api: Api;
  provider: Provider;
  temporal: Client;
  /** One call of the API as it is. */
  post(path: string, body: object): Promise<void>;
  /** The last webhook of that event about an agreement, sent again, as it was, to an API process. */
  repeat(uid: string, type: string, to: string): Promise<number>;
  apiUrl: string;
  /** Starts a second API process, which has seen no webhook yet. */
  anotherApi(): Promise<string>;
  setLimit(agreementsPerDebtor: number): Promise<void>;
  close(): Promise<void>;
}

interface Webhook {
  headers: Record<string, string>;
  body: Buffer;
}

const say = (line: string): void => console.log(`  … ${line}`);

export async function bringUpForCost(): Promise<CostStack> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-cost-'));
  const crew = createCrew(say, { isTerse: true });
  const wiring = await wire(folder);
  const stack = await bringUp(wiring, { crew, say, onLine: () => undefined });
  const relay = await relayTo(`${stack.apiUrl}/webhooks`);
  const signal = new AbortController().signal;
  const sandboxUrl = stack.sandboxUrl ?? '';
  const control = (path: string, body: object) =>
    callJson(`${sandboxUrl}/_control${path}`, Anything, { method: 'PUT', body });
  await control('/webhook', { url: relay.url });
  const api = createApi(stack.apiUrl, stack.apiKey, signal);
  await ensureConsent(api, CONNECTION);
  const connection = await Connection.connect({ address: stack.temporalAddress ?? '' });
  return {
    api,
    provider: createProvider(sandboxUrl, signal),
    temporal: new Client({ connection }),
    apiUrl: stack.apiUrl,
    post: async (path, body) => {
      const headers = { authorization: `Bearer ${stack.apiKey}`, 'idempotency-key': path };
      await callJson(`${stack.apiUrl}${path}`, Anything, { method: 'POST', body, headers });
    },
    repeat: (uid, type, to) => relay.repeat(uid, type, `${to}/webhooks`),
    anotherApi: () => startApi(crew, wiring),
    setLimit: async (agreements_per_debtor_per_day) => {
      await control('/limits', { agreements_per_debtor_per_day });
    },
    close: async () => {
      relay.close();
      await connection.close();
      await crew.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Thousands of agreements are started, and counted is what a sweep takes, not how fast it goes; none begins by itself. */
const SETTINGS = {
  PAYMENTS_RATE_PER_SECOND: '1000',
  PAYMENTS_RATE_BURST: '1000',
  SWEEP_INTERVAL_HOURS: '168',
};

const freePort = (): Promise<number> => getPort({ host: LOOPBACK });

async function wire(folder: string): Promise<Wiring> {
  const { temporal, sandbox } = dataFolder(folder);
  return {
    root: findPackageRoot(),
    variables: { ...readForeignVariables(), ...SETTINGS },
    secrets: newSecrets(),
    ports: { api: await freePort(), metrics: 0 },
    temporal: { port: await freePort(), uiPort: await freePort(), dbFilename: temporal },
    sandbox: { port: await freePort(), dataFile: sandbox },
  };
}

async function startApi(crew: Crew, wiring: Wiring): Promise<string> {
  const port = await freePort();
  const program = await launch({
    name: 'another api',
    words: programWords('api'),
    cwd: wiring.root,
    environment: { ...productEnvironment(wiring), API_PORT: String(port) },
    readyLine: /^api listening on /,
    readyWithinMs: 30_000,
    stopWithinMs: 15_000,
    onLine: () => undefined,
  });
  crew.add(program);
  await crew.guard(program.ready);
  return `http://${LOOPBACK}:${port}`;
}

interface Relay {
  url: string;
  repeat(uid: string, type: string, to: string): Promise<number>;
  close(): void;
}

async function relayTo(target: string): Promise<Relay> {
  const kept: Webhook[] = [];
  const server = createServer((incoming, answer) => {
    void webhookOf(incoming)
      .then(async (webhook) => {
        kept.push(webhook);
        answer.writeHead(await send(webhook, target)).end();
      })
      .catch((error: unknown) => answer.destroy(error instanceof Error ? error : undefined));
  });
  const port = await freePort();
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return {
    url: `http://${LOOPBACK}:${port}/webhooks`,
    repeat: (uid, type, to) => {
      const webhook = kept.findLast(({ body }) => body.includes(uid) && body.includes(type));
      if (webhook === undefined) throw new Error(`expected a webhook of ${type} about ${uid}`);
      return send(webhook, to);
    },
    close: () => void server.close(),
  };
}

const NOT_PASSED_ON = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

async function webhookOf(incoming: IncomingMessage): Promise<Webhook> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string' && !NOT_PASSED_ON.has(name)) headers[name] = value;
  return { headers, body: await buffer(incoming) };
}

async function send({ headers, body }: Webhook, to: string): Promise<number> {
  const { status } = await fetch(to, { method: 'POST', headers, body: new Uint8Array(body) });
  return status;
}
