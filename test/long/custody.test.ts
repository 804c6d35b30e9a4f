import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  connectionWorkflowId,
  ensureGeneration,
  getConnection,
} from '../../workflows/connection/contract.js';
import { consentAt, openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/worker-process.js';
import { openTokenWatch } from '../support/long/token-watch.js';
import type { Road } from '../support/road.js';
import type { WorkerProcess } from '../support/worker-process.js';
import type { ConnectionView } from '../../workflows/connection/contract.js';

const temporal = useTemporal();

const ROTATIONS = 1000;
const ROTATIONS_WITH_LOSSES = 200;
const CONNECTIONS = 20;
const WORKERS = 3;
const KILL_EVERY_MS = 5000;
const ALL_MS = 40 * 60_000;

async function aCrew(start: () => Promise<WorkerProcess>, isKilling: boolean) {
  const crew = new Set(await Promise.all(Array.from({ length: WORKERS }, start)));
  const counts = { kills: 0 };
  const coming = new Set<Promise<void>>();
  const replace = async (worker: WorkerProcess): Promise<void> => {
    crew.delete(worker);
    counts.kills += 1;
    await worker.kill();
    crew.add(await start());
  };
  let isOver = !isKilling;
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
const view = (connection: string): Promise<ConnectionView | undefined> =>
  handleOf(connection)
    .query(getConnection)
    .catch(() => undefined);
const isFlagged = ({ attention }: ConnectionView): boolean =>
  attention.some(({ code }) => code === 'needs_reauthorisation');

async function consentOf(road: Road, connection: string, isNew: boolean): Promise<void> {
  const ask = () => (isNew ? road.backend.connect(connection) : road.backend.reauthorise(connection));
  const done = await eventually(
    async () => {
      const { data } = await ask();
      const { authorize_url: link = null } = data ?? {};
      return link === null ? undefined : (await consentAt(link)).status;
    },
    (status) => status === 200,
  );
  expect(done).toBe(200);
}

async function rotate(
  road: Road,
  connection: string,
  left: Iterator<unknown>,
  onDone: () => void,
): Promise<number> {
  const standing = async (): Promise<number> =>
    (
      await eventually(
        () => view(connection),
        (seen) => seen !== undefined,
      )
    )?.generation ?? 0;
  await consentOf(road, connection, true);
  let losses = 0;
  let generation = await standing();
  for (let turn = left.next(); turn.done !== true;) {
    await handleOf(connection)
      .executeUpdate(ensureGeneration, { args: [{ after: generation }] })
      .catch(() => undefined);
    const seen = await view(connection);
    if (seen === undefined) continue;
    if (seen.generation > generation) {
      onDone();
      turn = left.next();
    } else if (isFlagged(seen)) {
      losses += 1;
      await consentOf(road, connection, false);
    } else continue;
    generation = await standing();
  }
  return losses;
}

interface Trial {
  total: number;
  isKilling: boolean;
  prepare: (road: Road) => void;
}

async function rotations({ total, isKilling, prepare }: Trial) {
  const taskQueue = `rotations-${randomUUID()}`;
  const road = await openRoad(temporal, taskQueue);
  const watch = await openTokenWatch(road.sandbox.url);
  onTestFinished(async () => {
    await watch.close();
    await road.close();
  });
  const watched = { ...road, sandbox: { ...road.sandbox, url: watch.url } };
  prepare(road);
  const start = () => startWorkerProcess(watched, taskQueue, road.sandbox.url);
  const crew = await aCrew(start, isKilling);
  let done = 0;
  const fromMs = Date.now();
  const report = (): void => {
    done += 1;
    if (done % 25 === 0)
      console.log(
        `${done} of ${total} rotations, ${crew.counts.kills} kills, ${watch.counts.calls} calls, ${Math.round((Date.now() - fromMs) / 1000)} s`,
      );
  };
  const left = Array.from({ length: total }).values();
  const work = Array.from({ length: CONNECTIONS }, () => rotate(road, `con-${randomUUID()}`, left, report));
  const losses = await Promise.all(work).finally(crew.dismiss);
  const lost = losses.reduce((sum, some) => sum + some, 0);
  const figures = {
    total,
    lost,
    ...crew.counts,
    ...watch.counts,
    ...saidBy(road),
  };
  console.log(figures);
  return figures;
}

function saidBy({ sandbox }: Road) {
  const renewals = sandbox.control
    .ledger()
    .flatMap((entry) => (entry.kind === 'token' && entry.grant_type === 'refresh_token' ? [entry] : []));
  const countOf = (isIt: (entry: (typeof renewals)[number]) => boolean): number =>
    renewals.filter(isIt).length;
  return {
    issued: countOf(({ outcome }) => outcome === 'issued'),
    again: countOf(({ outcome }) => outcome === 'issued_again'),
    refused: countOf(({ outcome }) => outcome === 'refresh_token_reused'),
    cut: countOf(({ outcome, fault }) => outcome === 'issued' && fault === 'cut_after_commit'),
  };
}

const expectKills = ({ kills }: { kills: number }): void => expect(kills).toBeGreaterThan(2 * WORKERS);

test(
  `no grant is lost in ${ROTATIONS} rotations with workers killed all along, where the provider repeats a pair for 300 s`,
  async () => {
    const figures = await rotations({
      total: ROTATIONS,
      isKilling: true,
      prepare: (road) => road.sandbox.control.setOAuth({ grace_seconds: 300 }),
    });
    const { lost, overlaps, refused, issued, again, calls, unsent } = figures;
    expect({ lost, overlaps, refused }).toEqual({ lost: 0, overlaps: 0, refused: 0 });
    expectKills(figures);
    expect(issued).toBe(ROTATIONS);
    expect(again).toBeGreaterThan(0);
    expect(calls).toBe(issued + again + unsent);
  },
  ALL_MS,
);

test(
  `of ${ROTATIONS_WITH_LOSSES} rotations as many grants are lost as answers were cut, where the provider repeats none`,
  async () => {
    const { lost, overlaps, cut, issued } = await rotations({
      total: ROTATIONS_WITH_LOSSES,
      isKilling: false,
      prepare: ({ sandbox }) =>
        sandbox.control.addFault({ on: 'token', do: 'cut_after_commit', share: 0.05 }),
    });
    expect(overlaps).toBe(0);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBe(cut);
    expect(issued).toBe(ROTATIONS_WITH_LOSSES + cut);
  },
  ALL_MS,
);

test(
  `of ${ROTATIONS_WITH_LOSSES} rotations with workers killed all along as many grants are lost as pairs that never arrived`,
  async () => {
    const figures = await rotations({
      total: ROTATIONS_WITH_LOSSES,
      isKilling: true,
      prepare: ({ sandbox }) => sandbox.control.setOAuth({ grace_seconds: 0 }),
    });
    const { lost, overlaps, issued, unread } = figures;
    expectKills(figures);
    expect(overlaps).toBe(0);
    expect(lost).toBe(issued - ROTATIONS_WITH_LOSSES);
    expect(lost).toBeGreaterThanOrEqual(unread);
    expect(unread).toBeGreaterThan(0);
  },
  ALL_MS,
);
