// Reads the events of the records. Each call throws the ApiError `records_unavailable` while the records are away.
import type { Instant } from '../../domain/facts/fact.js';
import { type EventsPage, type EventsRequest, type RecordedEvent, isAfter } from '../../records/events.js';
import type { Place } from '../../records/feed.js';
import type { Calls } from './temporal/calls.js';

export interface EventsGateway {
  page: (request: EventsRequest) => Promise<EventsPage>;
  /** Undefined: there is none with this id. */
  one: (id: string) => Promise<RecordedEvent | undefined>;
  /** A place before every event that was recorded at or after a time, or is recorded later. */
  placeBefore: (since: Instant) => Promise<Place>;
  /** The place after all events that can be read now. */
  newest: () => Promise<Place>;
}

export const createEventsGateway = ({ recorded }: Pick<Calls, 'recorded'>): EventsGateway => ({
  page: (request) => recorded.ask(({ events }) => events(request)),
  one: (id) => recorded.ask(({ event }) => event(id)),
  placeBefore: async (since) => {
    // First, because a transaction that is open now may store an earlier event.
    const newest = await recorded.ask(({ newestPlace }) => newestPlace());
    const before = await recorded.ask(({ placeBefore }) => placeBefore(since));
    return before === undefined || isAfter(before, newest) ? newest : before;
  },
  newest: () => recorded.ask(({ newestPlace }) => newestPlace()),
});
