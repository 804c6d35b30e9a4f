// What the measurements need: PostgreSQL with the records, one API process, and a stand-in for Temporal that counts requests and answers none.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readForeignVariables } from '../../cli/config.js';
import { migrate, startOwnPostgres, startProgram } from '../../cli/stack/bring-up.js';
import { createProcessGroup } from '../../cli/stack/process-group.js';
import {
  apiEnvironment,
  apiUrl,
  consoleUrl,
  freshWiring,
  migrateEnvironment,
  workerEnvironment,
} from '../../cli/stack/wiring.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { LOOPBACK } from '../../temporal-server/free-port.js';
import { cpuMsOf } from '../process-usage.js';

/** Codes of gRPC. */
const [UNAVAILABLE, NOT_FOUND] = ['14', '5'];

export type RecordsStack = Awaited<ReturnType<typeof bringUpRecords>>;

const print = (line: string): void => console.log(`  … ${line}`);

export async function bringUpRecords() {
  const folder = await mkdtemp(join(tmpdir(), 'payto-records-'));
  const group = createProcessGroup(print, { isTerse: true });
  const surroundings = { group, print, onLine: () => undefined };
  const wiring = await freshWiring(folder, {
    ...readForeignVariables(),
    API_RATE_PER_KEY: '0',
    API_RATE_PER_ADDRESS: '0',
  });
  const temporal = createServer();
  let requests = 0;
  let status = UNAVAILABLE;
  temporal.on('stream', (stream) => {
    requests += 1;
    const answer = { ':status': 200, 'grpc-status': status, 'content-type': 'application/grpc' };
    stream.respond(answer, { endStream: true });
  });
  temporal.listen(wiring.temporal?.port, LOOPBACK);
  await once(temporal, 'listening');
  await startOwnPostgres(wiring, surroundings);
  await migrate(wiring, surroundings);
  const environment = apiEnvironment(wiring);
  const { pid } = await startProgram('api', { wiring, surroundings, environment });
  const headers = { authorization: `Bearer ${wiring.secrets.api_key}` };
  return {
    /** As the owner of the database. */
    settings: recordsUrl.parse(migrateEnvironment(wiring)['RECORDS_ADMIN_URL']),
    /** For worker processes, except that Temporal is away. */
    workerEnvironment: workerEnvironment(wiring),
    keyring: parseKeyring(environment['ENCRYPTION_KEYS'] ?? ''),
    /** A GET of the API, which must answer 200. */
    get: async (path: string): Promise<unknown> => {
      const response = await fetch(`${apiUrl(wiring)}${path}`, { headers });
      const body: unknown = await response.json();
      if (response.status !== 200)
        throw new Error(`GET ${path}: expected 200; received ${response.status} ${JSON.stringify(body)}`);
      return body;
    },
    /** A GET of the API, read part by part. */
    async *stream(path: string): AsyncGenerator<string> {
      const response = await fetch(`${apiUrl(wiring)}${path}`, { headers });
      if (response.status !== 200 || response.body === null)
        throw new Error(`GET ${path}: expected 200; received ${response.status} ${await response.text()}`);
      yield* response.body.pipeThrough(new TextDecoderStream());
    },
    signIn: () => signIn(consoleUrl(wiring), wiring.secrets.api_key),
    apiPid: pid,
    /** CPU milliseconds that the API process has used. */
    apiCpuMs: () => cpuMsOf(pid),
    /** Requests that Temporal has received. */
    temporalRequests: () => requests,
    /** From now on, Temporal answers that it has forgotten each workflow. */
    forgetWorkflows: () => void (status = NOT_FOUND),
    close: async () => {
      await group.stop();
      temporal.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Signs in to the console. @returns a function that reads a page, below its first one. */
async function signIn(url: string, key: string): Promise<(path: string) => Promise<void>> {
  const answer = await fetch(`${url}/sign-in`, {
    ...{ method: 'POST', redirect: 'manual', headers: { 'sec-fetch-site': 'same-origin' } },
    body: new URLSearchParams({ key }),
  });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  return async (path) => {
    const page = await fetch(`${url}${path}`, { headers: { cookie } });
    const text = await page.text();
    if (page.status !== 200)
      throw new Error(`GET ${url}${path}: expected 200; received ${page.status} ${text.slice(0, 500)}`);
  };
}
