// What an entry stores besides if backends receive it as an event: its type, its id, and in its sealed data the view of its own state.
import { createHash } from 'node:crypto';
import { eventTypeOf, type EventType } from '../domain/records/event-types.js';
import type { Entry, EventCause, RecordBatch } from '../domain/records/batch.js';

export interface EventColumns {
  event: EventType | null;
  event_id: string | null;
}

/** In the sealed data of an entry that is an event. */
export interface EventData {
  view: object;
  cause?: EventCause | undefined;
}

type StoredEntry = Omit<Entry, 'kind'> & { kind: Entry['kind'] | 'view' };

export function eventColumnsOf(
  { resource, workflowId, identity, row }: Pick<RecordBatch, 'resource' | 'workflowId' | 'identity' | 'row'>,
  entry: StoredEntry,
): { columns: EventColumns; data: object } {
  const { data, event } = entry;
  const type = event && eventTypeOf(resource, entry);
  if (event === undefined || type === undefined) return { columns: { event: null, event_id: null }, data };
  const { view = row.view, cause, number } = event;
  const of: EventData = { view, ...(cause && { cause }) };
  const what = factOf(entry) ?? number;
  return {
    columns: { event: type, event_id: eventIdOf(identity ?? '', workflowId, type, entry.name, what) },
    data: { ...data, event: of },
  };
}

/** Several decisions and flags may have one cause, so only the ids of facts and states contain their fact. */
const factOf = ({ kind, factId, event }: StoredEntry): string | undefined =>
  factId ?? (kind === 'state' ? event?.cause?.factId : undefined);

const ID_CHARACTERS = 32;

/**
 * The id of an event, from what has happened: the thing, the type, and the fact that caused it or the number of the event. So a repeat of any kind has the same id.
 */
export const eventIdOf = (...what: (string | number)[]): string =>
  `evt_${createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, ID_CHARACTERS)}`;

/** What the entry itself says, and what makes it an event. */
export function withoutEvent(data: object): { own: object; event: EventData | undefined } {
  const { event, ...own } = data as { event?: EventData };
  return { own, event };
}
