// A thousand rotations while workers are killed every five seconds. The provider's ledger and the network between count.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  connectionWorkflowId,
  ensureGeneration,
  getConnection,
} from '../../workflows/connection.contract.js';
import { consentAt, openRoad } from '../road.js';
import { eventually, useTemporal } from '../temporal.js';
import { startWorkerProcess } from '../scenarios/worker-process.js';
import { BUILD_LIMIT_MS, ensureBuilt } from '../ship/processes.js';
import { openTokenWatch } from './token-watch.js';
import type { Road } from '../road.js';
import type { WorkerProcess } from '../scenarios/worker-process.js';
import type { ConnectionView } from '../../workflows/connection.contract.js';

const temporal = useTemporal();

const ROTATIONS = 1000;
/** With pairs that are lost on purpose; each loss costs a consent. */
const ROTATIONS_WITH_LOSSES = 150;
const CONNECTIONS = 5;
const WORKERS = 3;
const KILL_EVERY_MS = 5000;
/** What ships: it is up within a second or two, where the sources take many. */
const BUILT = ['dist/worker/main.js'];
const FLAGGED_WITHIN_MS = 90_000;
/** Until somebody answers again, on a machine that is busy with starting workers. */
const PATIENCE_MS = 5 * 60_000;
const ALL_MS = 40 * 60_000;

beforeAll(ensureBuilt, BUILD_LIMIT_MS);

/** Workers of which one is killed every five seconds, and at once followed by another. The last one that is up is spared. */
async function aCrew(start: () => Promise<WorkerProcess>) {
  const crew = new Set(await Promise.all(Array.from({ length: WORKERS }, start)));
  const counts = { kills: 0 };
  const coming = new Set<Promise<void>>();
  const replace = async (worker: WorkerProcess): Promise<void> => {
    crew.delete(worker);
    counts.kills += 1;
    await worker.kill();
    crew.add(await start());
  };
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await pause(KILL_EVERY_MS);
      const [eldest] = crew;
      if (eldest === undefined || crew.size < 2) continue;
      const replaced = replace(eldest).finally(() => coming.delete(replaced));
      coming.add(replaced);
    }
  })();
  const dismiss = async () => {
    isOver = true;
    await killing;
    await Promise.all(coming);
    await Promise.all([...crew].map((worker) => worker.kill()));
  };
  return { counts, dismiss };
}

const handleOf = (connection: string) => temporal.client.workflow.getHandle(connectionWorkflowId(connection));
/** Nobody answers while its worker is being killed. */
const view = (connection: string): Promise<ConnectionView | undefined> =>
  handleOf(connection).query(getConnection).catch(() => undefined); // prettier-ignore
const isFlagged = ({ attention }: ConnectionView): boolean =>
  attention.some(({ code }) => code === 'needs_reauthorisation');

async function consentOf(road: Road, connection: string, isNew: boolean): Promise<void> {
  const ask = () =>
    isNew
      ? road.post('/v1/connections', { id: connection })
      : road.post(`/v1/connections/${connection}/reauthorisation`, {});
  const done = await eventually(
    async () => {
      const { body } = await ask();
      if (typeof body['authorize_url'] !== 'string') return undefined;
      return (await consentAt(body['authorize_url'])).status;
    },
    (status) => status === 200,
    PATIENCE_MS,
  );
  expect(done).toBe(200);
}

/** Has the token of a connection renewed so often. Answers how often its grant was lost, each time flagged in time. */
async function rotate(road: Road, connection: string, times: number, onDone: () => void): Promise<number> {
  await consentOf(road, connection, true);
  let losses = 0;
  let generation = 1;
  let sinceMs = Date.now();
  for (let done = 0; done < times;) {
    await handleOf(connection).executeUpdate(ensureGeneration, { args: [{ after: generation }] }).catch(() => undefined); // prettier-ignore
    const seen = await view(connection);
    if (seen === undefined) continue;
    if (seen.generation > generation) {
      done += 1;
      onDone();
    } else if (isFlagged(seen)) {
      expect(Date.now() - sinceMs).toBeLessThan(FLAGGED_WITHIN_MS);
      losses += 1;
      await consentOf(road, connection, false);
    } else continue;
    const now = await eventually(() => view(connection), (known) => known !== undefined, PATIENCE_MS); // prettier-ignore
    generation = now?.generation ?? generation;
    sinceMs = Date.now();
  }
  return losses;
}

async function rotations(total: number, faults: (road: Road) => void) {
  const taskQueue = `rotations-${randomUUID()}`;
  const road = await openRoad(temporal, taskQueue);
  const watch = await openTokenWatch(road.sandbox.url);
  onTestFinished(async () => {
    await watch.close();
    await road.close();
  });
  const watched = { ...road, sandbox: { ...road.sandbox, url: watch.url } };
  faults(road);
  const crew = await aCrew(() => startWorkerProcess(watched, taskQueue, road.sandbox.url, BUILT));
  let done = 0;
  const fromMs = Date.now();
  const tell = (): void => {
    done += 1;
    if (done % 25 === 0)
      console.log(`${done} of ${total} rotations, ${crew.counts.kills} kills, ${watch.counts.calls} calls, ${Math.round((Date.now() - fromMs) / 1000)} s`); // prettier-ignore
  };
  const each = total / CONNECTIONS;
  const work = Array.from({ length: CONNECTIONS }, () => rotate(road, `con-${randomUUID()}`, each, tell));
  const losses = await Promise.all(work).finally(crew.dismiss);
  const ledger = road.sandbox.control
    .ledger()
    .flatMap((entry) => (entry.kind === 'token' && entry.grant_type === 'refresh_token' ? [entry] : []));
  const countOf = (outcome: string): number => ledger.filter((entry) => entry.outcome === outcome).length;
  const lost = losses.reduce((sum, some) => sum + some, 0);
  const told = { total, lost, ...crew.counts, ...watch.counts, issued: countOf('issued'), again: countOf('issued_again'), reused: new Set(ledger.filter(({ outcome }) => outcome === 'refresh_token_reused').map(({ grant }) => grant)).size }; // prettier-ignore
  console.log(told);
  return told;
}

test(
  `no grant is lost in ${ROTATIONS} rotations with workers killed all along, where the provider repeats a pair`,
  async () => {
    const { lost, kills, calls, overlaps, issued, again, reused } = await rotations(ROTATIONS, (road) =>
      road.sandbox.control.setOAuth({ grace_seconds: 300 }),
    );
    expect({ lost, overlaps, reused }).toEqual({ lost: 0, overlaps: 0, reused: 0 });
    expect(kills).toBeGreaterThan(0);
    // One pair for each expiry; and one call, but where a worker was killed with its call under way.
    expect(issued).toBe(ROTATIONS);
    expect(calls - ROTATIONS).toBeLessThanOrEqual(kills * CONNECTIONS);
    expect(again).toBeLessThanOrEqual(kills * CONNECTIONS);
  },
  ALL_MS,
);

test(
  `of ${ROTATIONS_WITH_LOSSES} rotations as many grants are lost as pairs that never arrived, each flagged in time`,
  async () => {
    const { lost, overlaps, reused } = await rotations(ROTATIONS_WITH_LOSSES, ({ sandbox }) =>
      sandbox.control.addFault({ on: 'token', do: 'cut_after_commit', share: 0.05 }),
    );
    expect(overlaps).toBe(0);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBe(reused);
  },
  ALL_MS,
);
