// Which of the changes of a workflow are events, and what each needs: a number, its cause, and the view of its own state. Plain JSON and pure.
import { eventTypeOf } from '../../domain/records/event-types.js';
import type { Entry, EventCause } from '../../domain/records/batch.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { ResourceName } from '../../domain/resources.js';

/** One change. Without `at`, it happened when the state was updated. */
export type Change = Omit<Entry, 'sequence' | 'at'> & { at?: Instant };

interface At {
  /** The sequence of the first entry. */
  first: number;
  now: Instant;
  /** How many events the thing has had. */
  events: number | undefined;
}

/** The entries of changes that were made at once, and how many events the thing has had after them. */
export function toEntries(
  resource: ResourceName,
  changes: readonly Change[],
  { first, now, events }: At,
): { entries: Entry[]; events: number | undefined } {
  let count = events;
  const entries = changes.map((change, index): Entry => {
    const entry = { at: now, ...change, sequence: first + index };
    if (eventTypeOf(resource, change) === undefined) return entry;
    count = (count ?? 0) + 1;
    const cause = causeIn(change.kind === 'fact' ? [change] : changes);
    return { ...entry, event: { number: count, ...(cause && { cause }) } };
  });
  return { entries, events: count };
}

/** Gives a view to each event that has none yet. A later event has another one. */
export function withViews(entries: readonly Entry[], viewOf: () => object): readonly Entry[] {
  const lacks = ({ event }: Entry): boolean => event !== undefined && event.view === undefined;
  if (!entries.some(lacks)) return entries;
  const view = viewOf();
  return entries.map((entry) =>
    entry.event === undefined || !lacks(entry) ? entry : { ...entry, event: { ...entry.event, view } },
  );
}

/** The newest fact or command among changes that were made at once. */
function causeIn(changes: readonly Change[]): EventCause | undefined {
  const cause = changes.findLast(({ kind }) => kind === 'fact' || kind === 'command');
  if (cause === undefined) return undefined;
  const { kind, name: type, factId, data } = cause;
  const by = principalIn(data);
  return {
    source: kind === 'command' ? 'command' : (data as Fact).source,
    type,
    ...(factId !== undefined && { factId }),
    ...(by !== undefined && { by }),
  };
}

const PRINCIPALS = ['by', 'requestedBy'] as const;

/** A command names its principal, or its detail does. */
function principalIn(data: object): string | undefined {
  const detail: unknown = Reflect.get(data, 'detail');
  const places = [data, ...(typeof detail === 'object' && detail !== null ? [detail] : [])];
  const names = places.flatMap((place) => PRINCIPALS.map((name): unknown => Reflect.get(place, name)));
  return names.find((name) => typeof name === 'string');
}
