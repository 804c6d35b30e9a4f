// One round of a cursor: what is due of the waiting resources, then the next events. Its outcome is stored in one transaction.
import pLimit from 'p-limit';
import { GIVES_UP_AFTER_MS } from '../../domain/records/webhook-retries.js';
import {
  CONNECTIONS,
  deliverLanes,
  newestSuccess,
  type Lane,
  type LaneOptions,
  type Lanes,
} from './lanes.js';
import type {
  DisabledNow,
  EventPlace,
  WaitingResource,
  WebhookAttempt,
  WebhookCursor,
  WebhookEndpoint,
  WebhookEvent,
  WebhookRows,
} from '../../domain/records/webhooks.js';

/** So many events are read at once, and so many of a waiting resource. */
const PAGE = 200;
const PAGE_OF_WAITING = 20;
/** So many waiting resources are tried in one round. If there are other events, they leave half of the connections to them. */
const MOST_DUE = 200;
const MOST_DUE_WITH_OTHERS = CONNECTIONS / 2;
/** So many of them are read at once. */
const READS = 5;
/** After this, no other request of a round starts, so that a changed row takes effect. The time to read the events is not in it. */
const ROUND_MS = 1000;
/** So many resources wait at most. Then the cursor stays where it is. */
export const MOST_WAITING = 1000;

export interface Round extends Omit<LaneOptions, 'lastSuccessAt' | 'isOver'> {
  rows: WebhookRows;
  endpoint: WebhookEndpoint;
  cursor: WebhookCursor;
  lease: string;
  /** By workflow. The round changes it once all is stored. */
  waiting: Map<string, WaitingResource>;
  /** The worker stops. */
  isStopping: () => boolean;
}

/** @returns whether anything was done. @throws WebhookLeaseLost, and the errors of the database. */
export async function deliverRound(round: Round): Promise<boolean> {
  const { rows, endpoint, cursor, lease, waiting, now, isStopping } = round;
  const { lastSuccessAt } = endpoint;
  const next = await nextLanes(round);
  const lanes = [...(await dueLanes(round, next)), ...next.lanes];
  const startedAt = performance.now();
  const isOver = (): boolean => isStopping() || performance.now() - startedAt > ROUND_MS;
  const done = await deliverLanes(lanes, { ...round, isOver, lastSuccessAt });
  const left = new Map(waiting);
  for (const workflowId of done.resumed) left.delete(workflowId);
  for (const one of done.waiting) left.set(one.workflowId, one);
  const isEnded = next.isEnd && left.size === 0;
  const hasMoved = !isSame(next.place, cursor.place);
  const isNewlyFull = next.isFull && !endpoint.attention.some(({ code }) => code === 'undelivered');
  if (lanes.length === 0 && !hasMoved && !isEnded && !isNewlyFull) return false;
  const progress = healthAfter(cursor, done.attempts);
  await rows.storeProgress({
    ...{ endpointId: endpoint.id, cursorId: cursor.id, lease, place: next.place, isEnded, now: now() },
    ...progress,
    ...{ attempts: done.attempts, waiting: done.waiting, resumed: done.resumed },
    mostWaiting: isNewlyFull ? MOST_WAITING : undefined,
    disabled: disabledAfter(done, {
      ...progress,
      lastSuccessAt: newest(lastSuccessAt, progress.lastSuccessAt),
    }),
  });
  waiting.clear();
  for (const [workflowId, one] of left) waiting.set(workflowId, one);
  return true;
}

/** A waiting resource with events that the cursor passes in this round continues with them. */
async function dueLanes(
  { rows, endpoint, cursor, waiting, now }: Round,
  { skipped, lanes: others }: Next,
): Promise<Lane[]> {
  const at = now();
  const due = [...waiting.values()]
    .filter(({ nextAt }) => nextAt <= at)
    .toSorted((one, other) => one.nextAt - other.nextAt)
    .slice(0, others.length > 0 ? MOST_DUE_WITH_OTHERS : MOST_DUE);
  const limit = pLimit(READS);
  return limit.map(due, async (waited): Promise<Lane> => {
    const { events, next, isNewest } = await rows.waitingEvents(endpoint, cursor, waited, PAGE_OF_WAITING);
    const { workflowId } = waited;
    const isLast = isNewest && !skipped.has(workflowId);
    return { workflowId, events, waited, rest: isLast ? undefined : next };
  });
}

interface Next {
  lanes: Lane[];
  /** The waiting resources that have some of these events. */
  skipped: ReadonlySet<string>;
  place: EventPlace;
  /** A replay has nothing after it. */
  isEnd: boolean;
  /** So many resources wait that none of these events are read. */
  isFull: boolean;
}

/** Events of resources that wait are not among them: they are read again from their place. */
async function nextLanes({ rows, endpoint, cursor, waiting }: Round): Promise<Next> {
  const room = MOST_WAITING - waiting.size;
  const isReplay = cursor.until !== undefined;
  const hasNext = cursor.hasNew || isReplay;
  const isFull = hasNext && room <= 0;
  if (isFull || !hasNext) return { lanes: [], skipped: new Set(), place: cursor.place, isEnd: false, isFull };
  const { events, next, isNewest } = await rows.nextEvents(endpoint, cursor, Math.min(PAGE, room));
  const byWorkflow = new Map<string, WebhookEvent[]>();
  for (const event of events)
    byWorkflow.set(event.workflowId, [...(byWorkflow.get(event.workflowId) ?? []), event]);
  const lanes = [...byWorkflow]
    .filter(([workflowId]) => !waiting.has(workflowId))
    .map(([workflowId, ofIt]): Lane => ({ workflowId, events: ofIt, waited: undefined, rest: undefined }));
  const skipped = new Set([...byWorkflow.keys()].filter((workflowId) => waiting.has(workflowId)));
  return { lanes, skipped, place: next, isEnd: isReplay && isNewest, isFull };
}

const isSame = (one: EventPlace, other: EventPlace): boolean => one.every((part, at) => part === other[at]);

const newest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

/** The last success, and the first failure since. An event that we cannot read says nothing about the receiver. */
function healthAfter(
  { lastSuccessAt, failingSince }: WebhookCursor,
  attempts: readonly WebhookAttempt[],
): Pick<WebhookCursor, 'lastSuccessAt' | 'failingSince'> {
  const success = newestSuccess(attempts);
  const failures = attempts.filter(
    ({ outcome, answer, at }) => outcome !== 'delivered' && answer.problem !== 'unreadable' && at >= success,
  );
  const firstFailure = failures.length === 0 ? undefined : Math.min(...failures.map(({ at }) => at));
  if (success === -Infinity) return { lastSuccessAt, failingSince: failingSince ?? firstFailure };
  return { lastSuccessAt: newest(lastSuccessAt, success), failingSince: firstFailure };
}

function disabledAfter(
  { attempts, gone }: Lanes,
  {
    lastSuccessAt = -Infinity,
    failingSince = Infinity,
  }: Pick<WebhookCursor, 'lastSuccessAt' | 'failingSince'>,
): DisabledNow | undefined {
  if (gone !== undefined) return { because: 'gone', last: gone };
  const last = attempts.findLast(
    ({ outcome, answer }) => outcome === 'failed' && answer.problem !== 'unreadable',
  );
  if (last === undefined) return undefined;
  const until = last.at - GIVES_UP_AFTER_MS;
  return failingSince <= until && lastSuccessAt <= until ? { because: 'failing', last } : undefined;
}
