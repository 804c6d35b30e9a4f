// Responses for the timeline of a resource.
import { z } from 'zod';
import { present } from '../../../domain/provider/answer.schema.js';
import { ENTRY_KINDS } from '../../../domain/records/batch.js';
import { summaryOf } from '../../../domain/records/summary.js';
import { FACT_SOURCES, happenedAt, type Fact } from '../../../domain/facts/fact.js';
import type { ResourceName } from '../../../domain/resources.js';
import type { TimelineEntry } from '../../gateway/timeline.js';
import { InstantSchema, NextLink, RecordedUntil, Reason, advised } from '../../http/answer-parts.schema.js';

const FactAnswered = z
  .object({
    id: z.string(),
    type: z.string().meta({ example: 'activated' }),
    state: z
      .string()
      .nullable()
      .meta({ description: 'The state at the provider, if the fact is a look-up.' }),
    published_at: InstantSchema,
    received_at: InstantSchema.meta({ description: 'When this system first received the fact.' }),
    late_by_seconds: z.number().meta({
      description: 'How many seconds passed between `published_at` and `received_at`, if the clocks agree.',
    }),
    source: z.enum(FACT_SOURCES).meta({
      description:
        '`webhook`: the provider sent it. `history`: it was read from the provider’s list of events. `lookup`: it was read from the resource. `command`: it was recorded here.',
    }),
    authenticated: z.boolean().meta({
      description:
        'True if the content is known to be genuine: a webhook with a valid and recent signature, a read from the provider, or our own record.',
    }),
    caused_by: z
      .string()
      .nullable()
      .meta({ description: 'Who caused it, as the provider names them. Null if it named no one.' }),
    reason: Reason.nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
    dropped: z.boolean().meta({
      description: 'True if parts of `reason` or `detail` were too large to store.',
    }),
  })
  .meta({ id: 'Fact' });

const STORED_KINDS = ENTRY_KINDS.filter((kind) => kind !== 'view');

const TimelineEntryAnswered = z
  .object({
    sequence: z.int().meta({ description: 'Grows with each entry of the resource.' }),
    kind: z.enum(STORED_KINDS).meta({
      description:
        '`fact`: the provider said it. `command`: a caller or an operator requested it. `decision`: the workflow decided it. ' +
        '`attention`: a flag was raised or lowered. `state`: the resource entered a state.',
    }),
    name: z.string().meta({
      description:
        'Names the type of the fact, the kind of the command or decision, the flag, or the new state.',
      example: 'activated',
    }),
    summary: z.string().meta({
      description:
        'The entry as a sentence in English, for people. Do not parse it: a later release may word it differently.',
      example: 'The payer accepted the agreement.',
    }),
    at: InstantSchema.meta({ description: 'When it happened. For a fact: when the provider published it.' }),
    recorded_at: InstantSchema.nullable().meta({
      description: 'When it was stored. Null if it is not stored yet.',
    }),
    fact: FactAnswered.nullable().meta({
      description: 'The stored fact. Null for entries that are no facts.',
    }),
    details: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'What the workflow recorded about the entry. Null for facts. Later releases may add fields.',
    }),
  })
  .meta({ id: 'TimelineEntry' });

export const TimelineAnswer = z
  .object({
    data: z
      .array(TimelineEntryAnswered)
      .meta({ description: 'The entries of this page, in the order in which they were recorded.' }),
    complete: z.boolean().meta({
      description:
        'False if the records database did not answer, and the entries are those that the workflow still has; or if workers cannot write to it, ' +
        'and newer entries may be missing.',
    }),
    recorded_until: RecordedUntil,
    links: NextLink,
  })
  .meta({ id: 'TimelineAnswer' });

/** @param resource that the entry is about. */
export function entryAnswer(
  resource: ResourceName,
  entry: TimelineEntry,
): z.output<typeof TimelineEntryAnswered> {
  const { sequence, kind, name, at, recordedAt, factId, data } = entry;
  const isFact = factId !== undefined;
  return {
    ...{ sequence, kind, name, summary: summaryOf(resource, entry), at },
    recorded_at: recordedAt ?? null,
    fact: isFact ? factAnswer(data as Fact) : null,
    details: isFact ? null : { ...data },
  };
}

const factAnswer = (fact: Fact): z.output<typeof FactAnswered> => ({
  id: fact.id,
  type: fact.type,
  state: fact.state ?? null,
  published_at: happenedAt(fact),
  received_at: fact.receivedAt,
  late_by_seconds: Math.max(Date.parse(fact.receivedAt) - Date.parse(happenedAt(fact)), 0) / 1000,
  source: fact.source,
  authenticated: fact.authenticated,
  caused_by: fact.causedBy ?? null,
  reason: fact.reason === undefined ? null : present(Reason, advised(fact.reason)),
  detail: fact.detail ?? null,
  dropped: fact.dropped === true,
});
