// Flags of endpoints for webhooks: an event that could not be delivered, and an endpoint that was disabled. Each also is an event.
import { lower, raise, type Attention } from '../domain/attention/flags.js';
import { storeOwnEvent } from './own-events.js';
import type { EventType } from '../domain/records/event-types.js';
import type { DisabledNow, WebhookAttempt } from '../domain/records/webhooks.js';
import type { Opened } from './database.js';

const RESOURCE = 'webhook-endpoint';

/** Raises one flag that names the newest event, and stores an event for each. In the caller's transaction. */
export async function raiseUndelivered(
  opened: Opened,
  endpointId: string,
  setAside: readonly WebhookAttempt[],
  now: number,
): Promise<void> {
  const flags = setAside.map((attempt) => ({ attempt, flag: undelivered(endpointId, attempt, now) }));
  const newest = flags.at(-1);
  if (newest === undefined) return;
  const row = await changeAttention(opened, endpointId, (attention) => {
    const since = attention.find(({ code }) => code === 'undelivered')?.since ?? newest.flag.since;
    return raise(lower(attention, 'undelivered'), { ...newest.flag, since });
  });
  if (row === undefined) return;
  for (const { attempt, flag } of flags) {
    // Otherwise an event about this endpoint that it cannot take would cause the next one.
    if (attempt.event.resource === RESOURCE && attempt.event.uid === endpointId) continue;
    await storeEvent(opened, row, { type: 'attention.raised', what: attempt.event.id, now, own: flag });
  }
}

/** Raises a flag, unless events were set aside: so many resources wait that no others are delivered. In the caller's transaction. */
export async function raiseStopped(
  opened: Opened,
  endpointId: string,
  waiting: number,
  now: number,
): Promise<void> {
  const since = new Date(now).toISOString();
  const flag: Attention = {
    ...{ code: 'undelivered', since },
    detail: `${waiting} resources wait for an event that the endpoint did not take. Until fewer wait, only their events are sent, and no others.`,
    next: `Read GET /v1/webhook-endpoints/${endpointId}/deliveries?outcome=failed, and correct the receiver. No event is lost.`,
  };
  let isRaised = false;
  const row = await changeAttention(opened, endpointId, (attention) => {
    isRaised = !attention.some(({ code }) => code === flag.code);
    return raise(attention, flag);
  });
  if (row === undefined || !isRaised) return;
  await storeEvent(opened, row, { type: 'attention.raised', what: `stopped ${since}`, now, own: flag });
}

/** Disables the endpoint, raises the flag, and stores both events. All progress stays. In the caller's transaction. */
export async function disableEndpoint(
  opened: Opened,
  endpointId: string,
  { because, last }: DisabledNow,
  now: number,
): Promise<void> {
  const at = new Date(now);
  const disabling = opened.db.updateTable('webhook_endpoints').where('id', '=', endpointId);
  await disabling
    .where('status', '=', 'enabled')
    .set({ status: 'disabled', disabled_because: because, disabled_at: at, updated_at: at })
    .execute();
  const flag: Attention = {
    ...{ code: 'endpoint_disabled', since: at.toISOString() },
    detail:
      because === 'gone'
        ? `The endpoint answered 410 to event ${last.event.id}, so it was disabled.`
        : `No event was delivered for 3 days, so the endpoint was disabled. The last one was ${last.event.id}: ${answered(last)}.`,
    next: 'Correct the receiver, then enable the endpoint. It continues where it stopped, and no event is lost.',
  };
  const row = await changeAttention(opened, endpointId, (attention) => raise(attention, flag));
  if (row === undefined) return;
  const what = at.toISOString();
  await storeEvent(opened, row, { type: 'webhook_endpoint.disabled', what, now, own: {} });
  await storeEvent(opened, row, {
    type: 'attention.raised',
    what: `endpoint_disabled ${what}`,
    now,
    own: flag,
  });
}

function undelivered(endpointId: string, attempt: WebhookAttempt, now: number): Attention {
  const { id, type, resource, uid } = attempt.event;
  const isUnreadable = attempt.answer.problem === 'unreadable';
  const why = isUnreadable
    ? 'could not be read from the records for 3 days'
    : `was not delivered for 3 days: ${answered(attempt)}`;
  return {
    ...{ code: 'undelivered', since: new Date(now).toISOString() },
    detail: `Event ${id} (${type} of ${resource} ${uid}) ${why}. It was set aside, and later events of its resource are delivered.`,
    next: `Read GET /v1/webhook-endpoints/${endpointId}/deliveries?outcome=set_aside, correct the receiver, and resend each event.`,
  };
}

const answered = ({ answer: { status, problem } }: WebhookAttempt): string =>
  status === undefined
    ? `there was no answer (${problem ?? 'connection'})`
    : `the endpoint answered ${status}`;

interface ChangedRow {
  id: string;
  status: string;
  disabled_because: string | null;
  form: string;
  types: string[] | null;
  connections: string[] | null;
}

/** @returns undefined if the endpoint was deleted. */
async function changeAttention(
  { db }: Opened,
  id: string,
  change: (attention: Attention[]) => Attention[],
): Promise<ChangedRow | undefined> {
  const found = db.selectFrom('webhook_endpoints').where('id', '=', id);
  const row = await found.selectAll().forUpdate().executeTakeFirst();
  if (row === undefined) return undefined;
  const attention = JSON.stringify(change(row.attention as Attention[]));
  await db.updateTable('webhook_endpoints').set({ attention }).where('id', '=', id).execute();
  return row;
}

interface FlagEvent {
  type: EventType;
  what: string;
  now: number;
  own: object;
}

/** As the API's own events about endpoints show it. */
const storeEvent = (opened: Opened, row: ChangedRow, { type, what, now, own }: FlagEvent): Promise<void> =>
  storeOwnEvent(opened, {
    ...{ type, resource: RESOURCE, uid: row.id, connectionId: undefined, at: new Date(now), what, own },
    view: {
      ...{ id: row.id, status: row.status, disabledBecause: row.disabled_because, form: row.form },
      ...{ types: row.types, connections: row.connections },
    },
  });
