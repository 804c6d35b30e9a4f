// What the API answers of batches: how far one has come, and what became of each row.
import { z } from 'zod';
import { BATCH_COMMANDS, BATCH_KINDS, OUTCOMES, outcomeInWords } from '../../../domain/batch/rows.js';
import { ATTENTION_CODES } from '../../../domain/attention/flags.js';
import { AWAITED } from '../../../domain/attention/awaiting.js';
import { BATCH_STATES } from '../../../workflows/batch/contract.js';
import type { BatchKind, Chunk, Counts as OutcomeCounts, RowView } from '../../../domain/batch/rows.js';
import type { BatchView } from '../../../workflows/batch/contract.js';
import { batchLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import type { ListedBatch } from '../../gateway/temporal/lists.js';
import {
  Attention,
  Awaiting,
  InstantSchema,
  NextLink,
  awaitingAnswer,
} from '../../http/answer-parts.schema.js';

const BatchLinks = z
  .object({ self: z.string(), rows: z.string(), temporal_ui: z.string().nullable() })
  .meta({ id: 'BatchLinks' });

const Counts = z
  .object(
    Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, z.int().meta({ description: outcomeInWords(outcome) })]),
    ),
  )
  .meta({ id: 'BatchCounts' });

const Batch = z
  .object({
    id: z.string(),
    kind: z.enum(BATCH_KINDS),
    state: z.enum(BATCH_STATES).meta({
      description:
        '`receiving` until all rows are there, `incomplete` where they never came: none was started. `done` once every row has its answer.',
    }),
    dry_run: z.boolean().meta({ description: 'Rows are judged, and none is started.' }),
    connection: z.string().nullable(),
    requested_at: InstantSchema,
    requested_by: z.string().meta({ description: 'The principal that requested it.' }),
    rows: z.int(),
    counts: Counts.meta({ description: 'How many rows have which outcome.' }),
    commands: z
      .array(
        z.object({ command: z.enum(BATCH_COMMANDS), reason: z.string(), by: z.string(), at: InstantSchema }),
      )
      .meta({ description: 'The newest last.' }),
    awaiting: Awaiting,
    attention: z.array(Attention),
    links: BatchLinks,
  })
  .meta({ id: 'Batch' });
export const BatchAnswer = z.object({ data: Batch }).meta({ id: 'BatchAnswer' });

const BatchSummary = z
  .object({
    id: z.string(),
    connection: z.string().nullable(),
    awaiting: z.object({
      what: z.enum(AWAITED).nullable().meta({ description: '`nothing` of one that is over.' }),
      since: InstantSchema.nullable(),
    }),
    attention: z.array(z.enum(ATTENTION_CODES)),
    links: BatchLinks,
  })
  .meta({ id: 'BatchSummary' });
export const BatchesAnswer = z
  .object({ data: z.array(BatchSummary), links: NextLink })
  .meta({ id: 'BatchesAnswer' });

const BatchRow = z
  .object({
    index: z.int().meta({ description: 'Its place in the request, from 0.' }),
    uid: z.string(),
    outcome: z.enum(OUTCOMES),
    at: InstantSchema.nullable().meta({
      description: 'When that was read; null of one that was not started.',
    }),
    state: z.string().nullable().meta({ description: 'Of its agreement, payment or command, then.' }),
    awaiting: z.enum(AWAITED).nullable().meta({ description: 'What one that is `blocked` waits for.' }),
    refusals: z.array(
      z.object({
        code: z.string().meta({
          description: 'A problem’s code, the provider’s own, or the rule of identification that refuses it.',
        }),
        pointer: z.string().meta({ description: 'Into the request.', example: '/rows/17/amount' }),
        detail: z.string(),
      }),
    ),
    links: z.object({ resource: z.string().meta({ description: 'What it has started, or is about.' }) }),
  })
  .meta({ id: 'BatchRow' });

const RowsNoLongerKept = z
  .object({ first: z.int(), last: z.int(), counts: Counts })
  .meta({ id: 'RowsNoLongerKept', description: 'By their places in the request, both included.' });
export const BatchRowsAnswer = z
  .object({
    data: z.array(BatchRow),
    no_longer_kept: z.array(RowsNoLongerKept).meta({
      description:
        'Rows on the way to the end of this page that can no longer be read, as Temporal keeps what has ended only for its retention.',
    }),
    links: NextLink,
  })
  .meta({ id: 'BatchRowsAnswer' });

export function batchAnswer(ui: TemporalUi, view: BatchView): z.output<typeof Batch> {
  return {
    id: view.id,
    kind: view.kind,
    state: view.state,
    dry_run: view.isDryRun,
    connection: view.connectionId ?? null,
    requested_at: view.requestedAt,
    requested_by: view.requestedBy,
    rows: view.chunks.reduce((sum, { size }) => sum + size, 0),
    counts: countsAnswer(view.counts),
    commands: view.commands,
    awaiting: awaitingAnswer(view.awaiting),
    attention: view.attention,
    links: batchLinks(ui, view.id),
  };
}

const countsAnswer = (counts: OutcomeCounts): Record<string, number> =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts[outcome] ?? 0]));

export const rowsNoLongerKept = ({ first, size, counts }: Chunk): z.output<typeof RowsNoLongerKept> => ({
  first,
  last: first + size - 1,
  counts: countsAnswer(counts),
});

export const batchSummary = (
  ui: TemporalUi,
  { uid, connectionId, awaiting, awaitingSince, attention }: ListedBatch,
): z.output<typeof BatchSummary> => ({
  id: uid,
  connection: connectionId ?? null,
  awaiting: { what: awaiting ?? null, since: awaitingSince ?? null },
  attention,
  links: batchLinks(ui, uid),
});

const ROOM: Readonly<Record<BatchKind, string>> = {
  agreements: 'agreements',
  payments: 'payments',
  identifications: 'agreements',
};

export const rowAnswer = (
  { kind }: Pick<BatchView, 'kind'>,
  { index, uid, answer }: RowView,
): z.output<typeof BatchRow> => ({
  index,
  uid,
  outcome: answer?.outcome ?? 'waiting',
  at: answer?.at ?? null,
  state: answer?.state ?? null,
  awaiting: answer?.awaiting ?? null,
  refusals: (answer?.refusals ?? []).map(({ pointer, ...refusal }) => ({
    ...refusal,
    pointer: `/rows/${index}${pointer}`,
  })),
  links: { resource: `/v1/${ROOM[kind]}/${uid}` },
});
