// The built product as a candidate. Each of its processes runs separately, and all outcomes arrive by webhook from the sandbox.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Anything } from '../../cli/api/answers.schema.js';
import { createApi } from '../../cli/api/client.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { callJson } from '../../cli/api/http.js';
import { eventually } from '../../cli/api/waiting.js';
import { readForeignVariables } from '../../cli/config.js';
import { createProvider } from '../../cli/demo/provider.js';
import { aPayment, anAgreement } from '../../cli/first-commands.js';
import { ApiProblem } from '../../client/create.js';
import { migrate, startOwnPostgres, startProgram } from '../../cli/stack/bring-up.js';
import { MEASURED_SETTINGS } from '../settings.js';
import type { Member, ProcessGroup } from '../../cli/stack/process-group.js';
import {
  apiEnvironment,
  apiUrl,
  freshWiring,
  sandboxEnvironment,
  sandboxUrl,
  workerEnvironment,
  type Wiring,
} from '../../cli/stack/wiring.js';
import { openFeed, type Feed } from './feed.js';
import type { Candidate } from './leg.js';
import { FAIRNESS_FACTOR } from './metrics.js';
import { deliverTo, openInbox, type Inbox } from './webhooks.js';

const CONNECTION = 'bench';
const VISIBLE_WITHIN_MS = 120_000;
const MOST_AGREEMENTS = 1_000_000;
export interface ProductPlan {
  name: 'product' | 'other';
  /** The folder with dist/ and node_modules/. */
  root: string;
  temporalAddress: string;
  folder: string;
  group: ProcessGroup;
  print: (line: string) => void;
  /** The worker writes its CPU profiles here when it ends. */
  profiles?: string | undefined;
}

export interface Product extends Candidate {
  close: () => void;
}

export async function startProduct(plan: ProductPlan): Promise<Product> {
  const { name, root, temporalAddress, print } = plan;
  const folder = join(plan.folder, name);
  await mkdir(folder);
  const variables = { ...readForeignVariables(), ...MEASURED_SETTINGS };
  const temporal = {
    ...{ TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: name },
    // A developer's settings for other servers must not apply. The file need not exist.
    TEMPORAL_CONFIG_FILE: join(folder, 'temporal.toml'),
  };
  const fresh = await freshWiring(folder, { ...variables, ...temporal });
  const records = fresh.records && { ...fresh.records, isDisposable: false };
  const wiring = { ...fresh, root, records, temporal: undefined };
  const pids = await startProcesses(wiring, plan);
  const inbox = await openInbox(deliverTo(`${apiUrl(wiring)}/webhooks`));
  const sandbox = sandboxUrl(wiring) ?? '';
  await prepareSandbox(sandbox, inbox.url);
  const signal = new AbortController().signal;
  const api = createApi(apiUrl(wiring), wiring.secrets.api_key, signal);
  await ensureConsent(api, CONNECTION);
  print(`${name} is ready`);
  let reads = 0;
  const feed = openFeed(apiUrl(wiring), wiring.secrets.api_key);
  const provider = createProvider(sandbox, signal);
  return {
    ...{ name, namespace: name, pids, actionsFactor: FAIRNESS_FACTOR },
    counted: ['server', 'worker', 'api', 'postgres'],
    live: lifeIn({ api, provider, inbox, feed, counted: (read) => ((reads += 1), read) }),
    reads: () => reads,
    close: () => {
      feed.close();
      inbox.close();
    },
  };
}

/** Like `bringUp`, with the Temporal server of all candidates. */
async function startProcesses(wiring: Wiring, plan: ProductPlan): Promise<Candidate['pids']> {
  const { group, print, root, profiles } = plan;
  const pids: Record<string, number> = {};
  const add = (member: Member): void => {
    pids[member.name] = member.pid;
    group.add(member);
  };
  const build = join(root, 'dist');
  const surroundings = { group: { ...group, add }, print, onLine: () => undefined, build };
  const start = (name: 'sandbox' | 'worker' | 'api', environment: Readonly<Record<string, string>>) =>
    startProgram(name, { wiring, surroundings, environment });
  await startOwnPostgres(wiring, surroundings);
  await start('sandbox', sandboxEnvironment(wiring));
  await migrate(wiring, surroundings);
  const profiling = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles ?? ''}` };
  await start('worker', { ...workerEnvironment(wiring), ...(profiles === undefined ? {} : profiling) });
  await start('api', apiEnvironment(wiring));
  const { PostgreSQL: postgres, sandbox, worker, api } = pids;
  if (postgres === undefined || sandbox === undefined || worker === undefined || api === undefined)
    throw new Error('expected all processes of the product to run');
  return { postgres, sandbox, worker, api };
}

/** Its webhooks go to us first, and no limit per payer applies. */
export async function prepareSandbox(url: string, webhookUrl: string): Promise<void> {
  const control = (path: string, body: object) =>
    callJson(`${url}/_control${path}`, Anything, { method: 'PUT', body });
  await control('/webhook', { url: webhookUrl });
  await control('/limits', { agreements_per_debtor_per_day: MOST_AGREEMENTS });
}

interface Surroundings {
  api: ReturnType<typeof createApi>;
  provider: ReturnType<typeof createProvider>;
  inbox: Inbox;
  feed: Feed;
  /** Counts a read. */
  counted: <T>(read: Promise<T>) => Promise<T>;
}

/** Repeats a request that a busy machine did not answer in time, as callers do. The uid makes repeats harmless. */
const accepted = (request: () => Promise<unknown>): Promise<unknown> =>
  eventually(
    () =>
      request().catch((error: unknown) => {
        if (!(error instanceof ApiProblem) || error.status !== 503) throw error;
      }),
    (answer) => answer !== undefined,
    { what: 'the API to accept a request', limitMs: VISIBLE_WITHIN_MS },
  );

/** The provider's event, our state after it, and our event. */
type Happening = [string, string, string];
type Read = () => Promise<{ state: string }>;

/** A backend follows the events. So only every eighth life reads, to measure when a state is visible. */
const READS_EVERY = 8;

/** The life of `bench:cost`: active, one payment settles, then the payer suspends, reactivates and cancels. */
function lifeIn({ api, provider, inbox, feed, counted }: Surroundings): Candidate['live'] {
  let count = 0;
  return async (uid) => {
    const reads = (count += 1) % READS_EVERY === 0;
    const times: number[] = [];
    /** The middle between the last read without the state and the first with it. */
    const become = async (of: string, [happened, state, type]: Happening, read: Read): Promise<void> => {
      if (!reads) return feed.happened(of, type);
      let before = await inbox.arrivedAt(of, happened);
      const arrivedAt = before;
      const limitMs = VISIBLE_WITHIN_MS;
      const isSo = (met: { state: string }): boolean => {
        if (met.state === state) return true;
        before = performance.now();
        return false;
      };
      await eventually(() => counted(read()), isSo, { what: `${of} to be ${state}`, limitMs });
      times.push((before + performance.now()) / 2 - arrivedAt);
    };
    const agreement = (): ReturnType<Read> => api.getAgreement(uid);
    const payment = `${uid}-payment`;
    await provider.scriptPayer(uid, { simulate: 'debtor_accept' });
    await accepted(() =>
      api.createAgreement(anAgreement({ uid, connection: CONNECTION, description: 'the same life' }), 0),
    );
    await become(uid, ['activated', 'active', 'agreement.active'], agreement);
    await accepted(() => api.requestPayment(uid, aPayment(payment, 100), 0));
    await become(payment, ['settled', 'settled', 'payment.settled'], () => api.getPayment(payment));
    for (const [action, happened, state] of BY_PAYER) {
      await provider.actAsPayer(uid, action);
      await become(uid, [happened, state, `agreement.${happened}`], agreement);
    }
    return times;
  };
}

export const BY_PAYER = [
  ['suspend', 'suspended', 'suspended'],
  ['reactivate', 'reactivated', 'active'],
  ['cancel', 'cancelled', 'cancelled'],
] as const;
