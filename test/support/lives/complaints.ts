// Compares the provider and the records with the model, after a life.
import { isDeepStrictEqual } from 'node:util';
import { refundedIn, type RefundEntry } from '../../../domain/refund/lifecycle.js';
import { callsOf } from '../over-http.js';
import type { RecordReader } from '../../../records/read.js';
import type { HttpStack } from '../http-stack.js';
import type { Model, Thing } from './model.js';

interface View {
  state: string;
  requestedBy?: string;
  connectionId?: string;
  requestedAt?: string;
  createdAt?: string;
  refunds?: RefundEntry[];
  attention: { code: string }[];
}

export async function readView(
  reader: RecordReader,
  { kind, uid }: Pick<Thing, 'kind' | 'uid'>,
): Promise<View | undefined> {
  return (await reader.row(kind, uid))?.view as View | undefined;
}

/** What the provider has under the uid. */
function atProvider({ sandbox }: HttpStack, { kind, uid }: Thing) {
  const { agreements, payments, refunds } = sandbox.control.state();
  if (kind === 'agreement') return agreements.find((one) => one.uid === uid);
  return kind === 'payment'
    ? payments.find((one) => one.uid === uid)
    : refunds.find((one) => one.uid === uid);
}

/** Nothing, once everything has settled as it must. */
export async function complaints(
  road: HttpStack,
  reader: RecordReader,
  { things }: Model,
): Promise<string[]> {
  const found: string[] = [];
  for (const thing of things.values()) {
    const view = await readView(reader, thing);
    const all = {
      ...sendingRules(road, thing),
      ...(view && recordRules(road, thing, view)),
      'has a record': view !== undefined,
    };
    for (const [rule, isMet] of Object.entries(all))
      if (!isMet) found.push(`${thing.uid}: expected that it ${rule}`);
  }
  const { payments, refunds } = road.sandbox.control.state();
  for (const { uid } of [...payments, ...refunds])
    if (!things.has(uid)) found.push(`${uid} was never accepted`);
  return found;
}

function sendingRules(road: HttpStack, thing: Thing) {
  const { kind, uid, request, isUnchecked } = thing;
  const calls = callsOf(road, `create_${kind}`, uid);
  // The provider refuses an agreement that was created unchecked under the uid of another.
  const isRefused = (status: unknown) =>
    kind === 'agreement' && isUnchecked && typeof status === 'number' && status >= 400;
  const sent = calls.filter((call) => !('status' in call && isRefused(call.status)));
  const there = atProvider(road, thing);
  const { parent, body } = request;
  const order = {
    agreement: { description: body['description'] },
    payment: { agreement_uid: parent, amount: body['amount'] },
    refund: { original_payment_uid: parent },
  }[kind];
  return {
    'is sent once': sent.length <= 1,
    'is withdrawn, and so never sent': !thing.isWithdrawn || sent.length === 0,
    'is retried as often as it was requested':
      callsOf(road, 'retry_payment', uid).length <= thing.retries.size,
    'is at the provider as first requested':
      there === undefined || isDeepStrictEqual({ ...there, ...order }, there),
  };
}

const FINAL = {
  agreement: ['active', 'cancelled', 'failed'],
  payment: ['settled', 'failed', 'withdrawn', 'lapsed'],
  refund: ['processed', 'failed'],
};

function recordRules(road: HttpStack, thing: Thing, view: View) {
  const { kind, uid, request } = thing;
  const identity = [view.requestedBy, view.connectionId, view.requestedAt ?? view.createdAt];
  const there = atProvider(road, thing);
  const refunds = road.sandbox.control.state().refunds.filter((one) => one.original_payment_uid === uid);
  const refunded = refunds.reduce((cents, one) => cents + one.refund_payment.amount, 0);
  const isFlagged = view.attention.some(({ code }) => code === 'conflict');
  return {
    [`belongs to ${request.principal}, ${String(thing.connection)} since ${String(thing.requestedAt)}, not to ${String(identity)}`]:
      isDeepStrictEqual(identity, [request.principal, thing.connection, thing.requestedAt]),
    [`is flagged, or not (${thing.isContested})`]: !thing.isContested || isFlagged,
    [`is final, not ${view.state}`]: FINAL[kind].includes(view.state),
    [`is withdrawn, not ${view.state}`]: !thing.isWithdrawn || view.state === 'withdrawn',
    [`has the provider's state ${String(there?.state)}, not ${view.state}`]:
      there === undefined || there.state === view.state,
    [`counts ${refunded} refunded cents`]: kind !== 'payment' || refundedIn(view.refunds ?? []) === refunded,
    'refunds no more than it took': kind !== 'payment' || refunded <= Number(request.body['amount']),
  };
}
