// What the API answers of an agreement's timeline: every fact, and how we came to know it.
import { z } from 'zod';
import { InstantSchema, NextLink, Reason } from './legible.schema.js';
import { PagingQuery } from './parameters.schema.js';

export const TimelineQuery = PagingQuery.extend({
  from: z.enum(['beginning']).optional().meta({
    description:
      'Where to begin, without a cursor: with the first fact of all; left out, with the first that is kept.',
  }),
});

const READ_AGAIN = 'Null where the fact was read again from the history that the provider keeps';

export const FactAnswered = z
  .object({
    id: z.string(),
    type: z.string().meta({ example: 'activated' }),
    state: z
      .string()
      .nullable()
      .meta({ description: 'What the provider showed, where the fact is a look-up.' }),
    published_at: InstantSchema,
    received_at: InstantSchema.nullable().meta({
      description: `When we first had it. ${READ_AGAIN}, as that is no longer known.`,
    }),
    late_by_seconds: z
      .number()
      .nullable()
      .meta({
        description: `From when the provider published it until we had it, as far as clocks agree. ${READ_AGAIN}.`,
      }),
    source: z.enum(['webhook', 'history', 'lookup', 'command']),
    authenticated: z
      .boolean()
      .meta({ description: 'Whether these very bytes are known to be from the provider.' }),
    conflict: z
      .boolean()
      .nullable()
      .meta({ description: `It did not fit where it stood. ${READ_AGAIN}.` }),
    caused_by: z.string().nullable(),
    reason: Reason.nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'Fact' });
export type FactAnswered = z.output<typeof FactAnswered>;

export const TimelineAnswer = z
  .object({
    data: z.array(FactAnswered).meta({ description: 'Oldest first.' }),
    older_count: z.int().meta({
      description:
        'How many older facts are no longer kept here. What the provider told of them its history still holds; look-ups and commands among them are gone.',
    }),
    links: NextLink.extend({
      older: z.string().optional().meta({
        description: 'The whole timeline from its beginning, where this is only what is kept of it.',
      }),
    }).meta({ id: 'TimelineLinks' }),
  })
  .meta({ id: 'TimelineAnswer' });
