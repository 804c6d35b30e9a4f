// The steps of a life: requests, and what the provider, an operator, Temporal's retention and an outage of PostgreSQL may do.
import { digestOf } from '../../../api/http/idempotency.js';
import { workflowIdOf } from '../../../domain/resources.js';
import { keyWorkflowId } from '../../../workflows/key/contract.js';
import { aFact, forget, late } from '../forgotten.js';
import { eventually, skipTime, type Temporal } from '../temporal.js';
import { readView } from './complaints.js';
import {
  PATIENCE_MS,
  WHY,
  cancel,
  create,
  oneOf,
  pay,
  refund,
  repeat,
  request,
  retry,
  send,
  variantsOf,
  withdraw,
  type Life,
} from './requests.js';
import type { Thing } from './model.js';

async function stop(life: Life): Promise<void> {
  const { chances, connections } = life;
  const connection = chances.oneOf(connections);
  const path = chances.oneOf(['/v1/stop', '/v1/stop/resumption']);
  const { status } = await send(life, 'test', path, { ...WHY, connection });
  life.log.push(`${path} ${connection}: ${status}`);
}

const OVER = {
  agreement: ['cancelled'],
  payment: ['settled', 'failed', 'withdrawn', 'lapsed'],
  refund: ['processed'],
};

const isOver = async ({ reader }: Life, thing: Thing): Promise<boolean> =>
  OVER[thing.kind].includes((await readView(reader, thing))?.state ?? '');

async function forgetOne(life: Life): Promise<void> {
  const { temporal, chances, log } = life;
  const over: Thing[] = [];
  for (const thing of life.model.things.values())
    if (!thing.isForgotten && (await isOver(life, thing))) over.push(thing);
  const agreements = over.filter(({ kind }) => kind === 'agreement');
  const thing = oneOf(life, agreements.length > 0 && chances.isOneIn(2) ? agreements : over);
  if (thing === undefined) return;
  const workflowId = workflowIdOf(thing.kind, thing.uid);
  if (!(await isClosed(temporal, workflowId))) return;
  const { principal, path, key = '' } = thing.request;
  const keyRun = keyWorkflowId(digestOf([principal, 'POST', path, key]));
  const isKeyRun = thing.kind === 'agreement' && chances.isOneIn(2) && (await isClosed(temporal, keyRun));
  await forget(temporal, workflowId, ...(isKeyRun ? [keyRun] : []));
  thing.isForgotten = true;
  log.push(`forget ${thing.uid}${isKeyRun ? ' and its key' : ''}`);
  // Before anything else can have reopened it.
  if (!chances.isOneIn(3)) await request(life, oneOf(life, variantsOf(life, thing.request)) ?? thing.request);
}

/** Whether its run has ended, soon if it only waits for time to pass. */
async function isClosed(temporal: Temporal, workflowId: string): Promise<boolean> {
  const run = temporal.client.workflow.getHandle(workflowId);
  const status = () =>
    run.describe().then(
      (one) => one.status.name,
      () => undefined,
    );
  if ((await status()) === 'RUNNING') await skipTime(temporal.client, workflowId).catch(() => undefined);
  const until = Date.now() + PATIENCE_MS;
  return (await eventually(status, (one) => one !== 'RUNNING' || Date.now() > until)) === 'COMPLETED';
}

async function lateEvent(life: Life): Promise<void> {
  const { temporal, reader, log } = life;
  const thing = oneOf(life, [...life.model.things.values()]);
  const state = (thing && (await readView(reader, thing)))?.state ?? '';
  if (!thing || !['cancelled', 'settled', 'processed'].includes(state)) return;
  log.push(`a late event about ${thing.uid}: ${state}`);
  await late(temporal, { resource: thing.kind, uid: thing.uid }, aFact(state), String(thing.connection));
}

const STEPS = [
  ...([
    create,
    pay,
    pay,
    pay,
    pay,
    refund,
    refund,
    cancel,
    cancel,
    withdraw,
    withdraw,
    retry,
    stop,
    stop,
  ] as const),
  ...([
    repeat,
    repeat,
    repeat,
    repeat,
    repeat,
    repeat,
    repeat,
    forgetOne,
    forgetOne,
    forgetOne,
    forgetOne,
  ] as const),
  lateEvent,
] as const;

/** @param mayCut whether PostgreSQL may go away. */
export async function takeStep(life: Life, mayCut: boolean): Promise<void> {
  if (mayCut && life.chances.isOneIn(5)) (life.isCut ? mend : cut)(life);
  else await life.chances.oneOf<(life: Life) => Promise<void>>(STEPS)(life);
}

function cut(life: Life): void {
  life.isAway = true;
  life.isCut = true;
  life.line.cut();
  life.log.push('cut');
}

function mend(life: Life): void {
  life.isCut = false;
  life.line.mend();
  life.log.push('mend');
}

export async function begin(life: Life): Promise<void> {
  for (const step of [create, create, create, cancel, pay]) await step(life);
}

export async function resumeAll(life: Life): Promise<void> {
  mend(life);
  for (const connection of life.connections)
    await send(life, 'test', '/v1/stop/resumption', { ...WHY, connection });
}
