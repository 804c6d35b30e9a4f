import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded } from '../../domain/resources.js';
import { placeOf, readFeed, type StoredEntry } from '../../records/feed.js';
import { openEntry, openRow } from '../../records/sealed.js';
import { agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import {
  AGREEMENT_STATE,
  ATTENTION,
  AWAITING,
  PAYMENT_STATE,
} from '../../workflows/contracts/search-attributes.js';
import { getRecord } from '../../workflows/contracts/every-workflow.js';
import { getPayment, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { opened } from '../support/database.js';
import { aRecordsServer } from '../support/records-server.js';
import { aPayment, anAgreement, openRoad, type Road } from '../support/road.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { sizeOf } from '../support/size.js';
import { KEYRING, eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/processes.js';
import type { TypedSearchAttributes } from '@temporalio/common';
import type { Kysely } from 'kysely';
import type { Tables } from '../../records/tables.js';

const KILLS = sizeOf(4, 20);
const AGREEMENTS_PER_KILL = sizeOf(1, 2);
const PAYMENTS_PER_AGREEMENT = 4;
const MOST_OF = 0.5;
const DATABASE_KILLED_EVERY = sizeOf(4, 10);
const LONGEST_PAUSE_MS = 2000;
const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed' } as const;

const temporal = useTemporal();

interface Life {
  table: 'agreements' | 'payments';
  uid: string;
  workflowId: string;
}
const lifeOfPayment = (uid: string): Life => ({ table: 'payments', uid, workflowId: paymentWorkflowId(uid) });
const lifeOfAgreement = (uid: string): Life => ({
  table: 'agreements',
  uid,
  workflowId: agreementWorkflowId(uid),
});

/** Asks only the server, so that thousands of queries do not occupy the workers. @returns false if it waits for minutes, because a kill has cut its submission short. */
async function reaches({ workflowId, table }: Life, state: string): Promise<boolean> {
  const key = table === 'payments' ? PAYMENT_STATE : AGREEMENT_STATE;
  const { typedSearchAttributes: shown } = await eventually(
    () => temporal.client.workflow.getHandle(workflowId).describe(),
    ({ typedSearchAttributes: now }) =>
      isCutShort(now) || (now.get(key) === state && now.get(AWAITING) === 'nothing'),
  );
  return !isCutShort(shown);
}

const isCutShort = (shown: TypedSearchAttributes): boolean =>
  shown.get(ATTENTION)?.includes('unknown_outcome') === true;

/** Repeats what no worker could answer, with the same key, as its problem tells a backend to. */
async function accepted(request: (key: string) => Promise<{ status: number }>): Promise<void> {
  const key = randomUUID();
  const { status } = await eventually(
    () => request(key),
    (answer) => answer.status !== 503,
  );
  expect(status).toBe(202);
}

async function live({ backend, sandbox }: Road, connection: string): Promise<Life[]> {
  const agreement = anAgreement(undefined, { connection });
  const { uid } = agreement;
  const life = lifeOfAgreement(uid);
  await accepted(() => backend.create(agreement, 0));
  if (!(await reaches(life, 'active'))) return [life];
  const payments = Array.from({ length: PAYMENTS_PER_AGREEMENT }, () => aPayment());
  for (const payment of payments) {
    sandbox.control.scriptPayment(payment.uid, { simulate: 'investigate_and_settle', delay: 1 });
    await accepted(() => backend.pay(uid, payment));
  }
  const paid = payments.map((payment) => lifeOfPayment(payment.uid));
  for (const payment of paid) await reaches(payment, 'settled');
  await accepted((key) => backend.suspend(uid, WHY, { wait: 0, key }));
  await reaches(life, 'suspended');
  await accepted((key) => backend.reactivate(uid, { wait: 0, key }));
  await reaches(life, 'active');
  return [life, ...paid];
}

/** Reads the feed as a consumer would, also while the database is away. */
function followFeed(db: Kysely<Tables>) {
  const seen: StoredEntry[] = [];
  let isStopped = false;
  const next = async (): Promise<number> => {
    const last = seen.at(-1);
    const entries = await readFeed(db, { after: last && placeOf(last), limit: 100 }).catch(() => []);
    seen.push(...entries);
    return entries.length;
  };
  const following = (async () => {
    while (!isStopped) if ((await next()) === 0) await pause(50);
  })();
  return {
    end: async (): Promise<StoredEntry[]> => {
      isStopped = true;
      await following;
      while ((await next()) > 0);
      return seen;
    },
  };
}

async function viewOf({ table, workflowId }: Life): Promise<object> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  if (table === 'payments') return handle.query(getPayment);
  const { payments: _, paymentsOlder: __, ...view } = await handle.query(getAgreement);
  return view;
}

/** Everything about a workflow, once nothing changes between the reads and the row is its view. */
const whole = (db: Kysely<Tables>, life: Life) =>
  eventually(
    async () => {
      const { table, uid, workflowId } = life;
      const readRow = () => db.selectFrom(table).selectAll().where('uid', '=', uid).executeTakeFirst();
      const row = await readRow();
      const ofWorkflow = db.selectFrom('entries').selectAll().where('workflow_id', '=', workflowId);
      const entries = await ofWorkflow.orderBy('sequence').execute();
      const view = await viewOf(life);
      const record = await temporal.client.workflow.getHandle(workflowId).query(getRecord);
      const newest = (await readRow())?.version;
      return {
        view,
        row: row && openRow(KEYRING, table, uid, row),
        entries,
        record,
        version: row?.version,
        newest,
      };
    },
    ({ view, row, version, newest }) => version === newest && isDeepStrictEqual(row, view),
  );

const isFact = ({ fact_id: id }: StoredEntry): boolean => id !== null;
const factOf = ({ workflow_id, fact_id, is_authenticated }: StoredEntry): string =>
  JSON.stringify([workflow_id, fact_id, is_authenticated]);
const dataOf = (entry: StoredEntry): Record<string, unknown> =>
  openEntry(
    KEYRING,
    { workflowId: entry.workflow_id, sequence: Number(entry.sequence), kind: entry.kind },
    entry,
  ) as Record<string, unknown>;
const transitionOf = (entry: StoredEntry): string =>
  JSON.stringify([entry.workflow_id, dataOf(entry)['from'], entry.name]);
const transitionsIn = (entries: readonly StoredEntry[]): string[] =>
  entries.filter(({ kind }) => kind === 'state').map(transitionOf);
const repeated = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

async function isWhole(db: Kysely<Tables>, life: Life): Promise<void> {
  const { view, entries, record, version } = await whole(db, life);
  const state = String(Reflect.get(view, 'state'));
  const facts = record.entries.flatMap(({ factId, data }) =>
    factId === undefined ? [] : [{ factId, isAuthenticated: Reflect.get(data, 'authenticated') === true }],
  );
  const stored = entries.filter(isFact);
  expect(repeated(stored.map(factOf))).toEqual([]);
  expect(stored.map((entry) => ({ factId: entry.fact_id, isAuthenticated: entry.is_authenticated }))).toEqual(
    expect.arrayContaining(facts),
  );
  expect(new Set(stored.map(({ fact_id }) => fact_id))).toEqual(new Set(facts.map(({ factId }) => factId)));

  const states = entries.filter(({ kind }) => kind === 'state');
  const names = states.map(({ name }) => name);
  expect(states.map((entry) => dataOf(entry)['from'])).toEqual([undefined, ...names.slice(0, -1)]);
  expect(names.at(-1)).toBe(state);

  // Each task follows a batch of an earlier one. The newest batch of an ended resource has a view.
  const newest = Math.max(...entries.map(({ sequence }) => Number(sequence)));
  expect(newest).toBeLessThanOrEqual(Number(version));
  // A batch that only adds the end state has no view of its own.
  const ended = entries.filter(({ kind }) => kind === 'view').map(dataOf);
  if (life.table === 'payments' && hasEnded('payment', state)) expect(ended.at(-1)).toEqual(view);
  const follow = entries.map(({ task_follows: before }) => Number(before));
  expect(follow).toEqual(follow.toSorted((one, other) => one - other));
  const changes = entries.filter(({ kind }) => kind !== 'view');
  const inFeed = changes.toSorted((one, other) => Number(one.position) - Number(other.position));
  expect(inFeed.map(({ sequence }) => sequence)).toEqual(changes.map(({ sequence }) => sequence));
}

test(`${KILLS} worker kills, some with a kill of the database, leave each fact and transition once`, async () => {
  const taskQueue = `records-killed-${randomUUID()}`;
  const server = await aRecordsServer();
  const road = await openRoad(temporal, taskQueue, Date.now, { reader: RECORDS_AWAY });
  onTestFinished(() => road.close());
  const start = () => startWorkerProcess(road, taskQueue, road.sandbox.url, { RECORDS_URL: server.url });
  const workers = await Promise.all([start(), start()]);
  onTestFinished(async () => {
    for (const worker of workers) await worker.kill();
  });
  const connection = `con-${randomUUID()}`;
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
  const { db } = opened(server.url);
  const feed = followFeed(db);

  const lives: Promise<Life[]>[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    lives.push(...Array.from({ length: AGREEMENTS_PER_KILL }, () => live(road, connection)));
    await pause(randomInt(LONGEST_PAUSE_MS));
    if (kill % DATABASE_KILLED_EVERY === 1) await server.kill();
    await workers[kill % 2]?.kill();
    workers[kill % 2] = await start();
    if (kill % DATABASE_KILLED_EVERY === 1) await server.restart();
  }
  const all = (await Promise.all(lives)).flat();
  expect(all.length).toBeGreaterThan(MOST_OF * KILLS * AGREEMENTS_PER_KILL * (1 + PAYMENTS_PER_AGREEMENT));
  for (const life of all) await isWhole(db, life);
  const seen = await feed.end();
  expect(repeated(seen.filter(isFact).map(factOf))).toEqual([]);
  expect(repeated(transitionsIn(seen))).toEqual([]);
  const places = (entries: readonly StoredEntry[]): string[] =>
    entries.filter(({ kind }) => kind !== 'view').map((entry) => JSON.stringify(placeOf(entry)));
  const stored = await db.selectFrom('entries').selectAll().execute();
  const missed = new Set(places(seen));
  expect(places(stored).filter((place) => !missed.has(place))).toEqual([]);
});
