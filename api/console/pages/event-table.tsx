// Events as a table, each with what it means.
import { EVENT_TYPES } from '../../../domain/records/event-types.js';
import { hrefOf, type Kind } from '../places.js';
import type { Event } from '../answers.js';
import { sentenceOf, words } from '../format.js';
import { Table, Time } from '../parts.js';

export const eventPage = (id: string): string => `/console/events/${encodeURIComponent(id)}`;

/** @param type as events name it. */
export function ResourceLink({ type, uid }: { type: string; uid: string }) {
  // Kinds without a page, also those that are no resource, have no address.
  const page = hrefOf(type.replaceAll('_', '-') as Kind, uid);
  return (
    <>
      {words(type)} {page === undefined ? <code>{uid}</code> : <a href={page}>{uid}</a>}
    </>
  );
}

const SOURCES: Readonly<Record<string, string>> = {
  webhook: 'the provider, in a webhook',
  history: 'the provider, in its list of events',
  lookup: 'the provider, in a look-up',
  command: 'a command',
  workflow: 'this system',
};

/** Who caused it, such as `ops, by a command`. */
export const causeOf = ({ reason: { source, principal } }: Event): string =>
  principal === null ? (SOURCES[source] ?? source) : `${principal}, by a command`;

export const meaningOf = (type: string): string =>
  (EVENT_TYPES as Readonly<Record<string, string>>)[type] ?? '';

export const EventTable = ({
  events,
  isWithResource,
}: {
  events: readonly Event[];
  isWithResource: boolean;
}) =>
  events.length === 0 ? (
    <p>No events.</p>
  ) : (
    <Table
      label="Events"
      heads={['Event', 'When', ...(isWithResource ? ['Resource'] : []), 'Caused by']}
      rows={events.map((event) => [
        <>
          <a href={eventPage(event.id)}>{event.type}</a>
          <small>{event.flag === null ? meaningOf(event.type) : sentenceOf(event.flag.code)}</small>
        </>,
        <Time at={event.created_at} />,
        ...(isWithResource ? [<ResourceLink type={event.resource.type} uid={event.resource.uid} />] : []),
        causeOf(event),
      ])}
    />
  );
