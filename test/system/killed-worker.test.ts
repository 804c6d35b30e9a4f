import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { openGate } from '../support/gate.js';
import { getRecord } from '../../workflows/contracts/every-workflow.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { CUT_SHORT, LIVES, paymentUnder } from '../support/system/cut-short/lives.js';
import { activeOne, eventsAt, readsOf, type Scene } from '../support/system/cut-short/scene.js';
import { startWorkerProcess, type WorkerProcess } from '../support/processes.js';
import type { WorkflowHandle } from '@temporalio/client';

const LIMIT_MS = 360_000;
const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed' } as const;
const BURST = 60;
type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
const HEARTBEAT_MISSED = 4;

const temporal = useTemporal();
const lives = LIVES.map((life) => ({ ...life, uid: `agr-${randomUUID()}` }));
const talkative = `agr-${randomUUID()}`;
const hurried = Array.from({ length: 6 }, () => `agr-${randomUUID()}`);
const taskQueue = `killed-${randomUUID()}`;

const closing: (() => Promise<void>)[] = [];
let scene: Scene;
let worker: WorkerProcess;
let statuses: number[] = [];

const suspend = (uid: string) => scene.road.hastyBackend.suspend(uid, WHY, { wait: 0, key: `pause-${uid}` });
const deliveriesTo = (uid: string) =>
  scene.road.sandbox.control
    .ledger()
    .filter((entry) => entry.kind === 'webhook')
    .filter(({ resource_uid: about }) => about === uid);

async function setTheScene(): Promise<void> {
  const road = await openRoad(temporal, taskQueue);
  closing.push(() => road.close());
  const gate = await openGate(road.sandbox.url);
  closing.push(() => gate.close());
  const connection = `con-${randomUUID()}`;
  road.sandbox.control.setWebhookUrl(`${road.url}/webhooks/${connection}`);
  scene = { road, gate, connection, temporal: temporal.client, passing: [], killedAt: 0 };
  worker = await startWorkerProcess(road, taskQueue, gate.url);
  closing.push(() => worker.kill());
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
}

const isSubmission = ({ name }: { name: string }): boolean => /^a (?:creation|payment) /.test(name);

async function enter(some: typeof lives): Promise<void> {
  await Promise.all(
    some.map(async ({ name, enter: bring, step, uid }) => {
      const hasArrived = await bring(scene, uid);
      await eventually(
        () => Promise.resolve({ name, arrived: hasArrived() }),
        ({ arrived }) => arrived,
      );
      await eventually(
        () => scene.road.backend.agreement(uid),
        ({ data }) => data?.awaiting.what === step,
      );
    }),
  );
}

async function enterAll(): Promise<void> {
  await Promise.all([talkative, ...hurried].map((uid) => activeOne(scene, uid)));
  await enter(lives.filter((life) => !isSubmission(life)));
  await enter(lives.filter(isSubmission));
  for (const { uid, step, name } of lives) {
    const { data } = await scene.road.backend.agreement(uid);
    expect([name, data?.awaiting.what]).toEqual([name, step]);
  }
}

async function killInABurst(): Promise<void> {
  const { control } = scene.road.sandbox;
  control.addFault({ on: 'webhook', do: 'repeat', copies: 1, resource_uid: talkative });
  for (let turn = 0; turn < BURST; turn += 1) {
    control.actAsPayer(talkative, turn % 2 === 0 ? 'suspend' : 'reactivate');
  }
  await eventually(
    () => Promise.resolve(deliveriesTo(talkative).length),
    (count) => count >= 10,
  );
  const answers = hurried.map(suspend);
  await Promise.race(answers);
  await worker.kill();
  scene.killedAt = control.ledger().length;
  scene.gate.release();
  statuses = (await Promise.all(answers)).map(({ status }) => status);
}

async function goOnWithoutAWorker(): Promise<void> {
  const { control } = scene.road.sandbox;
  for (const { meanwhile, uid } of lives) meanwhile?.(scene, uid);
  await control.advance(600);
  await control.flushWebhooks();
  control.clearFaults();
}

beforeAll(async () => {
  await setTheScene();
  await enterAll();
  await killInABurst();
  await goOnWithoutAWorker();
  worker = await startWorkerProcess(scene.road, taskQueue, scene.gate.url);
  for (const { afterwards, uid } of lives) await afterwards?.(scene, uid);
}, LIMIT_MS);

afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const settled = (uid: string, end: object) =>
  eventually(
    () => scene.road.backend.agreement(uid),
    ({ data }) => isLike(data, { ...end, awaiting: { what: 'nothing' }, pending_action: null }),
  );

function isLike(data: object | undefined, wanted: object): boolean {
  try {
    expect(data).toMatchObject(wanted);
    return true;
  } catch {
    return false;
  }
}

async function isWhole(uid: string, once: readonly string[]): Promise<void> {
  const events = eventsAt(scene, uid);
  expect(events.map(({ type }) => type)).toEqual(once);
  const { entries } = await scene.temporal.workflow.getHandle(agreementWorkflowId(uid)).query(getRecord);
  const known = entries.flatMap(({ factId }) => factId ?? []);
  expect(known).toEqual(expect.arrayContaining(events.map(({ id }) => id)));
  expect(new Set(known).size).toBe(known.length);
}

function untilAskedFor({ events }: History): { type: unknown; seconds: number }[] {
  const all = events ?? [];
  const at = all.findIndex((event) => event.activityTaskTimedOutEventAttributes != null);
  const timedOut = all[at]?.activityTaskTimedOutEventAttributes;
  const scheduled = all.find(({ eventId }) => String(eventId) === String(timedOut?.scheduledEventId));
  const limit = scheduled?.activityTaskScheduledEventAttributes?.heartbeatTimeout;
  const rest = all.slice(at + 1);
  const asked = rest.findIndex((event) =>
    event.activityTaskScheduledEventAttributes?.activityType?.name?.startsWith('find'),
  );
  expect(asked).toBeGreaterThan(0);
  const timers = rest
    .slice(0, asked)
    .flatMap(({ timerStartedEventAttributes: timer }) =>
      timer == null ? [] : [{ type: 'timer', seconds: Number(timer.startToFireTimeout?.seconds ?? 0) }],
    );
  return [
    { type: timedOut?.failure?.timeoutFailureInfo?.timeoutType, seconds: Number(limit?.seconds ?? 0) },
    ...timers,
  ];
}

const within = <T>(current: () => T, isIt: (seen: T) => boolean): Promise<T> =>
  eventually(() => Promise.resolve(current()), isIt);

describe('replacement of a killed worker', () => {
  test.each(lives.map((life) => [life.name, life] as const))(
    '%s: finishes once and loses no fact',
    async (_, { uid, end, once, isLate, isAsked }) => {
      if (isLate === true) {
        await within(
          () => eventsAt(scene, uid),
          ({ length }) => length === once.length,
        );
        expect(await scene.gate.letGo(uid)).toBeGreaterThanOrEqual(400);
      }
      if (isAsked === true)
        await within(
          () => readsOf(scene, uid, scene.killedAt),
          (count) => count > 0,
        );
      await settled(uid, end);
      await isWhole(uid, once);
    },
    LIMIT_MS,
  );

  const submitted = lives.filter(isSubmission);
  const unheard = submitted.filter(({ name }) => !name.includes(CUT_SHORT.after));
  test.each(unheard.map((life) => [life.name, life.uid] as const))(
    '%s: is looked up within two missed heartbeats',
    async (name, uid) => {
      const id = name.startsWith('a payment')
        ? paymentWorkflowId(paymentUnder(uid))
        : agreementWorkflowId(uid);
      const [missed, ...between] = untilAskedFor(await temporal.client.workflow.getHandle(id).fetchHistory());
      expect(missed).toMatchObject({ type: HEARTBEAT_MISSED });
      expect(between).toEqual([expect.objectContaining({ type: 'timer' })]);
      const seconds = [missed, ...between].reduce((sum, one) => sum + (one?.seconds ?? Infinity), 0);
      expect(seconds).toBeLessThanOrEqual(2 * (missed?.seconds ?? 0));
    },
  );

  test('takes a payment once if the kill interrupts its submission', async () => {
    for (const { uid } of submitted.filter(({ name }) => name.startsWith('a payment'))) {
      const pay = paymentUnder(uid);
      await scene.road.backend.untilPayment(pay, ({ state }) => state === 'settled');
      expect(eventsAt(scene, pay).filter(({ type }) => type.endsWith('settled'))).toHaveLength(1);
    }
  });

  test('stores every webhook of a burst once, including those received without a worker', async () => {
    const after = deliveriesTo(talkative).filter(({ seq }) => seq > scene.killedAt);
    expect(after.length).toBeGreaterThan(0);
    expect(new Set(deliveriesTo(talkative).map(({ status }) => status))).toEqual(new Set([200]));
    await settled(talkative, { state: 'active', state_caused_by: 'debtor' });
    const turns = Array.from({ length: BURST }, (_, turn) => (turn % 2 === 0 ? 'suspended' : 'reactivated'));
    await isWhole(talkative, ['activated', ...turns]);
  });

  test(
    'executes a command sent during the kill once, also if the caller repeats it',
    async () => {
      expect(statuses).toContain(202);
      expect(statuses.filter((status) => ![202, 503].includes(status))).toEqual([]);
      const again = await Promise.all(hurried.map(suspend));
      expect(again.map(({ status }) => status)).toEqual(hurried.map(() => 202));
      for (const uid of hurried) {
        await settled(uid, { state: 'suspended', actions: [{ kind: 'suspension', stage: 'done' }] });
        await isWhole(uid, ['activated', 'suspended']);
      }
    },
    LIMIT_MS,
  );

  test('counts the time that passed without a worker', async () => {
    await Promise.all(scene.passing);
  });
});
