// What the API answers of an agreement's timeline: every fact, and how we came to know it.
import { z } from 'zod';
import { InstantSchema, NextLink, Reason } from './legible.schema.js';

export const FactAnswered = z
  .object({
    id: z.string(),
    type: z.string().meta({ example: 'activated' }),
    state: z
      .string()
      .nullable()
      .meta({ description: 'What the provider showed, where the fact is a look-up.' }),
    published_at: InstantSchema,
    received_at: InstantSchema,
    late_by_seconds: z
      .number()
      .meta({ description: 'From when the provider published it until we had it, as far as clocks agree.' }),
    source: z.enum(['webhook', 'history', 'lookup', 'command']),
    authenticated: z
      .boolean()
      .meta({ description: 'Whether these very bytes are known to be from the provider.' }),
    conflict: z.boolean().meta({ description: 'It did not fit where it stood.' }),
    caused_by: z.string().nullable(),
    reason: Reason.nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'Fact' });
export type FactAnswered = z.output<typeof FactAnswered>;

export const TimelineAnswer = z
  .object({
    data: z.array(FactAnswered).meta({ description: 'Oldest first.' }),
    older_count: z.int().meta({ description: 'How many older facts are known only by number.' }),
    links: NextLink,
  })
  .meta({ id: 'TimelineAnswer' });
