// What callers request in a life, and repeat: exactly, or with one difference.
import { aRefund } from '../forgotten.js';
import { callsOf } from '../over-http.js';
import { aPayment, anAgreement, type Reply, type HttpStack } from '../http-stack.js';
import { KEY, OTHER_KEY } from '../serve-api.js';
import { eventually, type Temporal } from '../temporal.js';
import type { RecordReader } from '../../../records/read.js';
import type { Chances } from '../../simulator/random.js';
import type { TcpProxy } from '../tcp-proxy.js';
import type { Kind, Model, Principal, Request, Thing } from './model.js';

export interface Life {
  name: string;
  chances: Chances;
  model: Model;
  road: HttpStack;
  reader: RecordReader;
  temporal: Temporal;
  line: TcpProxy;
  connections: readonly [string, string];
  /** All requests, also those that were refused. */
  requests: Request[];
  isCut: boolean;
  /** Since the first cut: the API considers the records away for minutes after a failure. */
  isAway: boolean;
  log: string[];
}

const PRINCIPALS = ['test', 'other'] as const;
export const PATIENCE_MS = 3000;
export const WHY = { reason: 'looks wrong' };

export const send = (
  { road }: Life,
  principal: Principal,
  path: string,
  body: object,
  key?: string,
): Promise<Reply> =>
  road.post(path, body, {
    authorization: `Bearer ${principal === 'test' ? KEY : OTHER_KEY}`,
    ...(key !== undefined && { 'idempotency-key': key }),
  });

export async function request(life: Life, asked: Request): Promise<void> {
  const { road, model, isAway } = life;
  life.requests.push(asked);
  const reply = await send(life, asked.principal, asked.path, asked.body, asked.key);
  life.log.push(inWords(asked, reply));
  const isNew = !model.things.has(String(reply.body['uid']));
  const thing = model.judge(asked, reply, isAway);
  if (thing?.kind !== 'agreement' || !isNew) return;
  const until = Date.now() + PATIENCE_MS;
  const { body } = await eventually(
    () => road.get(`/v1/agreements/${thing.uid}`),
    (one) => one.body['state'] !== 'pending' || Date.now() > until,
  );
  // The first answer has the time of the request, later ones that of the run.
  thing.requestedAt = body['created_at'];
}

function inWords({ principal, path, body, key }: Request, { status, body: answer }: Reply): string {
  const { uid, amount, description, connection, refund_payment: paid } = body;
  const order = JSON.stringify({ uid, connection, description, amount, paid });
  return `${principal} ${path} ${order} key ${key ?? 'none'}: ${status} ${String(answer['code'] ?? answer['uid'])}`;
}

const named = ({ name, requests }: Life, kind: string): string => `${kind}-${name}-${requests.length}`;
/** Few keys, so that some are used twice. */
const aKey = ({ name, chances }: Life): string => `key-${name}-${chances.below(12)}`;

export const oneOf = <T>({ chances }: Life, list: readonly T[]): T | undefined =>
  list[chances.below(list.length)];

const thingsOf = ({ model }: Life, kind: Kind): Thing[] =>
  [...model.things.values()].filter((one) => one.kind === kind);

export function create(life: Life): Promise<void> {
  const { chances, connections } = life;
  const body = anAgreement(named(life, 'agr'), { connection: chances.oneOf(connections) });
  const key = chances.isOneIn(2) ? aKey(life) : undefined;
  return request(life, {
    kind: 'agreement',
    principal: chances.oneOf(PRINCIPALS),
    path: '/v1/agreements',
    body: { ...body },
    key,
  });
}

/** @param body without its uid: some requests have a uid, some only a key, some both. */
function below(
  life: Life,
  kind: 'payment' | 'refund',
  parent: Thing,
  body: Record<string, unknown>,
): Promise<void> {
  const { chances } = life;
  const uid = chances.isOneIn(3) ? undefined : named(life, kind);
  const key = uid === undefined || chances.isOneIn(2) ? aKey(life) : undefined;
  const path = `/v1/${parent.kind}s/${parent.uid}/${kind}s`;
  const isFailing = kind === 'payment' && uid !== undefined && chances.isOneIn(4);
  if (isFailing) life.road.sandbox.control.scriptPayment(uid, { simulate: 'insufficient_funds' });
  const whole = { ...body, ...(uid !== undefined && { uid }) };
  return request(life, {
    kind,
    principal: chances.oneOf(PRINCIPALS),
    path,
    parent: parent.uid,
    body: whole,
    key,
  });
}

export async function pay(life: Life): Promise<void> {
  const agreement = oneOf(life, thingsOf(life, 'agreement'));
  if (agreement === undefined) return;
  const { uid: _, ...body } = aPayment(undefined, {
    amount: life.chances.between(100, 5000),
    priority: life.chances.oneOf(['attended', 'unattended']),
  });
  await below(life, 'payment', agreement, body);
}

export async function refund(life: Life): Promise<void> {
  const payment = oneOf(life, thingsOf(life, 'payment'));
  if (payment === undefined) return;
  const { uid: _, ...body } = aRefund(life.chances.between(50, 3000));
  await below(life, 'refund', payment, body);
}

export async function repeat(life: Life): Promise<void> {
  const first = oneOf(life, life.requests);
  if (first !== undefined) await request(life, oneOf(life, variantsOf(life, first)) ?? first);
}

/** Exactly, or with one difference. */
export function variantsOf(life: Life, first: Request): Request[] {
  const { body, principal, kind } = first;
  const other = {
    agreement: { ...body, description: 'Plan 78' },
    payment: { ...body, amount: 77 },
    refund: { ...body, ...aRefund(78), uid: body['uid'] },
  }[kind];
  const parents = { agreement: [], payment: thingsOf(life, 'agreement'), refund: thingsOf(life, 'payment') };
  const parent = oneOf(life, parents[kind]);
  const connection = life.connections.find((one) => one !== body['connection']);
  const elsewhere =
    parent === undefined
      ? { ...first, body: { ...body, connection } }
      : { ...first, parent: parent.uid, path: `/v1/${parent.kind}s/${parent.uid}/${kind}s` };
  return [
    ...([first, first, elsewhere] as const),
    { ...first, key: aKey(life) },
    { ...first, principal: principal === 'test' ? 'other' : 'test' },
    { ...first, body: other },
  ];
}

const isUnsent = ({ road }: Life, { uid }: Thing): boolean =>
  callsOf(road, 'create_payment', uid).length === 0;

export async function withdraw(life: Life): Promise<void> {
  const payments = thingsOf(life, 'payment');
  const thing = oneOf(
    life,
    life.chances.isOneIn(4) ? payments : payments.filter((one) => isUnsent(life, one)),
  );
  const status = thing && (await command(life, thing, 'withdrawal', WHY));
  if (thing && status === 200) thing.isWithdrawn = true;
}

export async function retry(life: Life): Promise<void> {
  const thing = oneOf(life, thingsOf(life, 'payment'));
  const key = aKey(life);
  // An answer may be lost, so a retry counts as soon as it is requested.
  thing?.retries.add(key);
  if (thing) await command(life, thing, 'retry', {}, key);
}

export async function cancel(life: Life): Promise<void> {
  const thing = oneOf(life, thingsOf(life, 'agreement'));
  if (thing) await command(life, thing, 'cancellation', {}, aKey(life));
}

async function command(
  life: Life,
  { kind, uid }: Thing,
  name: string,
  body: object,
  key?: string,
): Promise<number> {
  const { status } = await send(life, 'test', `/v1/${kind}s/${uid}/${name}`, body, key);
  life.log.push(`${name} of ${uid}: ${status}`);
  return status;
}
