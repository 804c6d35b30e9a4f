// Responses for the timeline of an agreement.
import { z } from 'zod';
import { present } from '../../../domain/provider/answer.schema.js';
import { FACT_SOURCES } from '../../../domain/facts/fact.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { Timeline } from '../../../domain/facts/timeline.js';
import { InstantSchema, NextLink, Reason, advised } from '../../http/answer-parts.schema.js';

const NULL_IF_READ_AGAIN = 'Null if we read the fact again from the provider’s history';

const FactAnswered = z
  .object({
    id: z.string(),
    type: z.string().meta({ example: 'activated' }),
    state: z
      .string()
      .nullable()
      .meta({ description: 'The state at the provider, if the fact is a look-up.' }),
    published_at: InstantSchema,
    received_at: InstantSchema.nullable().meta({
      description: `When we first received the fact. ${NULL_IF_READ_AGAIN}.`,
    }),
    late_by_seconds: z
      .number()
      .nullable()
      .meta({
        description: `Seconds between publication by the provider and our receipt, if clocks agree. ${NULL_IF_READ_AGAIN}.`,
      }),
    source: z.enum(FACT_SOURCES),
    authenticated: z.boolean().meta({
      description:
        'True if the content is known to be genuine: a webhook with a valid and recent signature, a read from the provider, or our own record.',
    }),
    conflict: z
      .boolean()
      .nullable()
      .meta({ description: `True if the fact did not fit the state at its time. ${NULL_IF_READ_AGAIN}.` }),
    caused_by: z.string().nullable(),
    reason: Reason.nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
    dropped: z.boolean().meta({
      description:
        'True if parts of `reason` or `detail` were too large to store. The Temporal history of the run contains them during its retention (`links.temporal_ui` of the agreement). The provider’s history contains the published parts.',
    }),
  })
  .meta({ id: 'Fact' });
type FactAnswered = z.output<typeof FactAnswered>;

export const TimelineAnswer = z
  .object({
    data: z.array(FactAnswered).meta({ description: 'Facts, oldest first.' }),
    older_count: z.int().meta({
      description:
        'The number of older facts that we no longer store, counted up to 4000. The provider’s history still contains the ones that it published. Look-ups and commands are lost.',
    }),
    links: NextLink.extend({
      older: z.string().optional().meta({
        description:
          'The whole timeline from its first fact. Present if this page contains only stored facts and older ones exist.',
      }),
    }).meta({ id: 'TimelineLinks' }),
  })
  .meta({ id: 'TimelineAnswer' });

/** Stored facts, and facts read again from the provider, whose time of receipt is unknown. */
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
