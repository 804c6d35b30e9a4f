// The query of the feed of events.
import { z } from 'zod';
import { expectedType, typesMatching } from '../../../domain/records/event-type-patterns.js';
import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import type { EventFilter } from '../../../records/events.js';
import { RESOURCE_NAMES } from '../../../domain/resources.js';
import { EVENT_ONLY_RESOURCES } from '../../../records/own-events.js';
import { instant } from '../../http/list-parameters.schema.js';
import { WaitQuery, connectionId, paging } from '../../http/parameters.schema.js';
import { EVENT_RESOURCES } from './answer.schema.js';

const types = z
  .string()
  .max(4000)
  .transform((list, context) =>
    list.split(',').flatMap((name) => {
      const named = typesMatching(name);
      if (named.length === 0) context.addIssue({ code: 'custom', message: expectedType(name) });
      return named;
    }),
  )
  .optional()
  .meta({
    type: 'string',
    description:
      'Only these types, separated by commas. `agreement.*` means all types that begin with `agreement.`.',
    example: 'agreement.*,payment.settled',
  });

export const EventsQuery = z.strictObject({
  ...paging,
  cursor: paging.cursor.meta({
    description:
      'Where to continue: `links.next` of the previous page has it, or the `id` of a streamed event. You can store it for as long as events are kept.',
  }),
  type: types,
  connection: connectionId.optional(),
  resource_type: z
    .enum(EVENT_RESOURCES)
    .optional()
    .meta({ description: 'Only events about this type of resource.' }),
  resource: UidSchema.optional().meta({ description: 'Only events about the resource with this uid.' }),
  since: instant(
    'Begins with the first event that was stored at or after this time; a few before it may come too. Without effect if there is a cursor.',
  ),
  wait: WaitQuery.shape.wait.meta({
    description: 'Seconds to wait for an event if there is none yet. A stream does not need it.',
  }),
});
export type EventsQuery = z.output<typeof EventsQuery>;

const RESOURCES_OF_EVENTS = [...RESOURCE_NAMES, ...EVENT_ONLY_RESOURCES];

/** @param bound the only connections that the caller may read. */
export const filterOf = (
  { type, connection, resource_type: named, resource: uid }: EventsQuery,
  bound: readonly string[] | undefined,
): EventFilter => ({
  types: type,
  connections: connection === undefined ? bound : [connection],
  resource: RESOURCES_OF_EVENTS.find((name) => name === named?.replaceAll('_', '-')),
  uid,
});
