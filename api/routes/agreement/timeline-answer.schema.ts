// What the API answers of an agreement's timeline: every fact, and how we came to know it.
import { z } from 'zod';
import { present } from '../../../domain/provider/answer.schema.js';
import { FACT_SOURCES } from '../../../domain/facts/fact.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { Timeline } from '../../../domain/facts/timeline.js';
import { InstantSchema, NextLink, Reason, advised } from '../../http/answer-parts.schema.js';

const NULL_IF_READ_AGAIN = 'Null where the fact was read again from the history that the provider keeps';

const FactAnswered = z
  .object({
    id: z.string(),
    type: z.string().meta({ example: 'activated' }),
    state: z
      .string()
      .nullable()
      .meta({ description: 'What the provider showed, where the fact is a look-up.' }),
    published_at: InstantSchema,
    received_at: InstantSchema.nullable().meta({
      description: `When we first had it. ${NULL_IF_READ_AGAIN}, as that is no longer known.`,
    }),
    late_by_seconds: z
      .number()
      .nullable()
      .meta({
        description: `From when the provider published it until we had it, as far as clocks agree. ${NULL_IF_READ_AGAIN}.`,
      }),
    source: z.enum(FACT_SOURCES),
    authenticated: z
      .boolean()
      .meta({ description: 'Whether these very bytes are known to be from the provider.' }),
    conflict: z
      .boolean()
      .nullable()
      .meta({ description: `It did not fit where it stood. ${NULL_IF_READ_AGAIN}.` }),
    caused_by: z.string().nullable(),
    reason: Reason.nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
    dropped: z.boolean().meta({
      description:
        'True where parts of `reason` or `detail` were too large to be kept. They stand in the history of the run that received the fact (`links.temporal_ui` of the agreement) for as long as Temporal keeps it, and what was published in the history that the provider keeps.',
    }),
  })
  .meta({ id: 'Fact' });
type FactAnswered = z.output<typeof FactAnswered>;

export const TimelineAnswer = z
  .object({
    data: z.array(FactAnswered).meta({ description: 'Oldest first.' }),
    older_count: z.int().meta({
      description:
        'How many older facts are no longer kept here, counted up to 4000. What the provider published of them is still in its history; look-ups and commands among them are gone.',
    }),
    links: NextLink.extend({
      older: z.string().optional().meta({
        description: 'The whole timeline from its beginning, where this is only what is kept of it.',
      }),
    }).meta({ id: 'TimelineLinks' }),
  })
  .meta({ id: 'TimelineAnswer' });

/** Facts that are kept, and facts that were read again: when these were first received is no longer known. */
export function factsAnswer(facts: readonly Fact[], { facts: stored, conflicts }: Timeline): FactAnswered[] {
  const isStored = new Set(stored.map(({ id }) => id));
  const asReceived = (fact: Fact) => ({
    received_at: fact.receivedAt,
    late_by_seconds: Math.max(Date.parse(fact.receivedAt) - Date.parse(fact.publishedAt), 0) / 1000,
    conflict: conflicts.includes(fact.id),
  });
  return facts.map((fact) => ({
    ...factAnswer(fact),
    ...(isStored.has(fact.id) ? asReceived(fact) : READ_AGAIN),
  }));
}

const READ_AGAIN = { received_at: null, late_by_seconds: null, conflict: null };

const factAnswer = (fact: Fact) => ({
  id: fact.id,
  type: fact.type,
  state: fact.state ?? null,
  published_at: fact.publishedAt,
  source: fact.source,
  authenticated: fact.authenticated,
  caused_by: fact.causedBy ?? null,
  reason: fact.reason === undefined ? null : present(Reason, advised(fact.reason)),
  detail: fact.detail ?? null,
  dropped: fact.dropped === true,
});
