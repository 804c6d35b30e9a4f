// The stack for cost measurements: the whole product as in `npm start`, on free ports and in a temporary folder. A relay between
// the provider and the API records each webhook, to send it again unchanged.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createApi } from '../../cli/api/client.js';
import { readForeignVariables } from '../../cli/config.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { createProcessGroup } from '../../cli/stack/process-group.js';
import { createProvider } from '../../cli/demo/provider.js';
import { callJson } from '../../cli/api/http.js';
import { Anything } from '../../cli/api/answers.schema.js';
import { bringUp, startProgram, type Stack, type Surroundings } from '../../cli/stack/bring-up.js';
import { apiEnvironment, freshWiring, type Wiring } from '../../cli/stack/wiring.js';
import { openRecords, type RecordsDatabase } from '../../records/database.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';
import { MEASURED_SETTINGS } from '../settings.js';

export const CONNECTION = 'bench';

export type CostStack = Awaited<ReturnType<typeof bringUpForCost>>;

interface Webhook {
  at: number;
  headers: Record<string, string>;
  body: Buffer;
}

const print = (line: string): void => console.log(`  … ${line}`);

/** @param settings of all processes, beside those that every measurement needs. */
export async function bringUpForCost(settings: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'payto-cost-'));
  const group = createProcessGroup(print, { isTerse: true });
  const surroundings = { group, print, onLine: () => undefined };
  const wiring = await freshWiring(folder, { ...readForeignVariables(), ...MEASURED_SETTINGS, ...settings });
  const stack = await bringUp(wiring, surroundings);
  const relay = await relayTo(`${stack.apiUrl}/webhooks`);
  const signal = new AbortController().signal;
  const sandboxUrl = stack.sandboxUrl ?? '';
  const control = (path: string, body: object) =>
    callJson(`${sandboxUrl}/_control${path}`, Anything, { method: 'PUT', body });
  await control('/webhook', { url: relay.url });
  const api = createApi(stack.apiUrl, stack.apiKey, signal);
  await ensureConsent(api, CONNECTION);
  const temporalAddress = stack.temporalAddress ?? '';
  const connection = await Connection.connect({ address: temporalAddress });
  const call = callTo(stack);
  const environment = apiEnvironment(wiring);
  const records = openRecords(recordsUrl.parse(environment['RECORDS_URL']));
  return {
    api,
    provider: createProvider(sandboxUrl, signal),
    temporal: new Client({ connection }),
    temporalAddress,
    apiUrl: stack.apiUrl,
    apiKey: stack.apiKey,
    pids: stack.pids,
    /** The records, as the processes write them. */
    opened: { db: records.db, keyring: parseKeyring(environment['ENCRYPTION_KEYS'] ?? '') },
    /** When the relay received the newest webhook of that event about an agreement, by `performance.now()`. */
    receivedAt: relay.receivedAt,
    /** One plain call of the API. */
    post: (path: string, body: object) => call('POST', path, body),
    put: (path: string, body: object) => call('PUT', path, body),
    /** The same call many times at once. Returns the status of each. */
    crowd: crowdTo(stack),
    /** Sends the last webhook of that event about an agreement again, unchanged, to an API process. */
    repeat: (uid: string, type: string, to: string) => relay.repeat(uid, type, `${to}/webhooks`),
    /** Starts a second API process, which has received no webhook yet. */
    anotherApi: () => startApi(surroundings, wiring),
    setLimit: async (agreements_per_debtor_per_day: number): Promise<void> => {
      await control('/limits', { agreements_per_debtor_per_day });
    },
    /** The entries in the records of these workflows, without copies of rows. */
    recordedChanges: changesIn(records),
    close: async (): Promise<void> => {
      await records.close();
      relay.close();
      await connection.close();
      await group.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const crowdTo =
  ({ apiUrl, apiKey }: Stack) =>
  (times: number, path: string, body: object): Promise<number[]> => {
    const headers = {
      ...{ authorization: `Bearer ${apiKey}`, 'idempotency-key': path },
      'content-type': 'application/json',
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return Promise.all(
      Array.from({ length: times }, async () => (await fetch(`${apiUrl}${path}`, request)).status),
    );
  };

const changesIn =
  ({ db }: RecordsDatabase) =>
  async (workflowIds: readonly string[]): Promise<number> => {
    const changes = db.selectFrom('entries').select('sequence').where('kind', '<>', 'view');
    return (await changes.where('workflow_id', 'in', workflowIds).execute()).length;
  };

const callTo =
  ({ apiUrl, apiKey }: Stack) =>
  async (method: 'POST' | 'PUT', path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': path };
    await callJson(`${apiUrl}${path}`, Anything, { method, body, headers });
  };

async function startApi(surroundings: Surroundings, wiring: Wiring): Promise<string> {
  const port = await freePort();
  const environment = { ...apiEnvironment(wiring), API_PORT: String(port), ADMIN_PORT: '0' };
  await startProgram('api', { wiring, surroundings, environment });
  return `http://${LOOPBACK}:${port}`;
}

async function relayTo(target: string) {
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
  const newest = (uid: string, type: string): Webhook => {
    const webhook = kept.findLast(({ body }) => body.includes(uid) && body.includes(type));
    if (webhook === undefined) throw new Error(`expected a webhook of ${type} about ${uid}`);
    return webhook;
  };
  return {
    url: `http://${LOOPBACK}:${port}/webhooks`,
    repeat: (uid: string, type: string, to: string): Promise<number> => send(newest(uid, type), to),
    receivedAt: (uid: string, type: string): number => newest(uid, type).at,
    close: (): void => void server.close(),
  };
}

const NOT_PASSED_ON = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

async function webhookOf(incoming: IncomingMessage): Promise<Webhook> {
  const at = performance.now();
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string' && !NOT_PASSED_ON.has(name)) headers[name] = value;
  return { at, headers, body: await buffer(incoming) };
}

async function send({ headers, body }: Webhook, to: string): Promise<number> {
  const { status } = await fetch(to, { method: 'POST', headers, body: new Uint8Array(body) });
  return status;
}
