// Delivers events of several resources at once, and those of one resource in order.
import pLimit from 'p-limit';
import { GIVES_UP_AFTER_MS, nextAttemptAt } from '../../domain/records/webhook-retries.js';
import type {
  EventPlace,
  WaitingResource,
  WebhookAnswer,
  WebhookAttempt,
  WebhookEvent,
} from '../../domain/records/webhooks.js';

/** So many requests are sent to one endpoint at once. */
export const CONNECTIONS = 20;

/** The next events of one resource. */
export interface Lane {
  workflowId: string;
  events: readonly WebhookEvent[];
  /** The resource has waited. */
  waited: WaitingResource | undefined;
  /** Where it continues after these events. Undefined: it has no others up to the cursor. */
  rest: EventPlace | undefined;
}

export interface Lanes {
  attempts: WebhookAttempt[];
  /** Resources with events that are left. */
  waiting: WaitingResource[];
  /** Resources that have waited, and no longer do. */
  resumed: string[];
  /** The receiver has answered 410. */
  gone: WebhookAttempt | undefined;
}

export interface LaneOptions {
  send: (event: WebhookEvent & { body: string }) => Promise<WebhookAnswer>;
  now: () => number;
  random: () => number;
  /** No other request may start. What is left then waits. */
  isOver: () => boolean;
  /** The last success of the endpoint before these. */
  lastSuccessAt: number | undefined;
}

export async function deliverLanes(lanes: readonly Lane[], options: LaneOptions): Promise<Lanes> {
  const done: Lanes = { attempts: [], waiting: [], resumed: [], gone: undefined };
  const limit = pLimit(CONNECTIONS);
  await Promise.all(
    lanes.map((lane) =>
      limit(async () => {
        const left = await deliverLane(lane, done, options);
        if (left !== undefined) done.waiting.push(left);
        else if (lane.waited !== undefined) done.resumed.push(lane.workflowId);
      }),
    ),
  );
  return done;
}

const BEFORE_ALL = -Infinity;

/** @returns what waits. */
async function deliverLane(
  { workflowId, events, waited, rest }: Lane,
  done: Lanes,
  { send, now, random, isOver, lastSuccessAt = BEFORE_ALL }: LaneOptions,
): Promise<WaitingResource | undefined> {
  const untried = (place: EventPlace): WaitingResource => {
    const at = now();
    return { workflowId, place, attempts: 0, since: at, nextAt: at };
  };
  let before = waited;
  for (const { body, ...event } of events) {
    const place = placeBefore(event.place);
    if (done.gone !== undefined || isOver()) return before ?? untried(place);
    const at = now();
    const attempt = (before?.attempts ?? 0) + 1;
    const answer = body === undefined ? UNREADABLE : await send({ ...event, body });
    const made = { event, attempt, at, answer };
    if (answer.isDelivered) done.attempts.push({ ...made, outcome: 'delivered' });
    else {
      const since = before !== undefined && before.attempts > 0 ? before.since : at;
      const succeeds = Math.max(lastSuccessAt, newestSuccess(done.attempts)) > at - GIVES_UP_AFTER_MS;
      // An endpoint at which nothing succeeds is disabled instead, unless nothing was sent.
      const isSetAside = at - since >= GIVES_UP_AFTER_MS && (succeeds || body === undefined);
      done.attempts.push({ ...made, outcome: isSetAside ? 'set_aside' : 'failed' });
      if (answer.status === GONE) done.gone = { ...made, outcome: 'failed' };
      const failing = { attempts: attempt, since };
      const again = { now: now(), random: random() };
      if (!isSetAside) return { workflowId, place, ...failing, nextAt: nextAttemptAt(failing, again) };
    }
    before = undefined;
  }
  return rest === undefined ? undefined : untried(rest);
}

const GONE = 410;
const UNREADABLE: WebhookAnswer = { isDelivered: false, problem: 'unreadable', durationMs: 0 };

const placeBefore = ([era, transaction, position]: EventPlace): EventPlace => [
  era,
  transaction,
  position - 1,
];

export const newestSuccess = (attempts: readonly WebhookAttempt[]): number =>
  attempts.reduce(
    (newest, { outcome, at }) => (outcome === 'delivered' ? Math.max(newest, at) : newest),
    BEFORE_ALL,
  );
