// Responses for batches and their rows.
import { z } from 'zod';
import {
  BATCH_COMMANDS,
  BATCH_KINDS,
  OUTCOMES,
  outcomeInWords,
  type BatchKind,
  type Chunk,
  type Counts as OutcomeCounts,
  type RowView,
} from '../../../domain/batch/rows.js';
import { DECISIONS } from '../../../domain/attention/resolution.js';
import { AWAITED } from '../../../domain/attention/awaiting.js';
import { BATCH_STATES, type BatchView } from '../../../workflows/batch/contract.js';
import { pathTo, recordedLinks, type TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';
import {
  ConnectionOf,
  FOLLOWED,
  InstantSchema,
  NextLink,
  followedOf,
  linksSchema,
} from '../../http/answer-parts.schema.js';

const BatchLinks = linksSchema({ rows: z.string() }).meta({ id: 'BatchLinks' });

const Counts = z
  .object(
    Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, z.int().meta({ description: outcomeInWords(outcome) })]),
    ),
  )
  .meta({ id: 'BatchCounts', description: 'How many rows have each outcome.' });

/** Of a batch that repairs resources. Null for other batches. */
const RepairAnswer = z
  .object({
    reason: z.string().meta({ description: 'Why it is done.' }),
    filter: z
      .record(z.string(), z.string())
      .meta({ description: 'The filter of the request, which was used once.' }),
    decision: z.enum(DECISIONS).nullable().meta({
      description: 'What becomes of parked resources. Null if the batch decides nothing.',
    }),
    amounts: Counts.meta({
      id: 'BatchAmounts',
      description: 'The sum of the rows with each outcome, in cents. Rows without an amount count as 0.',
    }),
  })
  .meta({ id: 'BatchRepair' });

const Batch = z
  .object({
    id: z.string(),
    kind: z.enum(BATCH_KINDS),
    state: z.enum(BATCH_STATES).meta({
      description:
        '`receiving` until all rows are stored. `incomplete` if they were never stored: no row was started. `done` once every row has its outcome.',
    }),
    dry_run: z.boolean().meta({ description: 'True for a dry run, which only checks rows and starts none.' }),
    connection: ConnectionOf,
    requested_at: InstantSchema,
    requested_by: z.string().meta({ description: 'The principal that requested the batch.' }),
    rows: z.int().meta({ description: 'How many rows the batch has.' }),
    counts: Counts,
    repair: RepairAnswer.nullable().meta({
      description:
        'Only of a batch that repairs resources: what it repairs, and why. Null for other batches.',
    }),
    commands: z
      .array(
        z.object({ command: z.enum(BATCH_COMMANDS), reason: z.string(), by: z.string(), at: InstantSchema }),
      )
      .meta({ description: 'Shows the commands that operators sent, newest last.' }),
    ...FOLLOWED,
    links: BatchLinks,
  })
  .meta({ id: 'Batch' });
type Batch = z.output<typeof Batch>;

const BatchRow = z
  .object({
    index: z.int().meta({ description: 'Where the row was in the request. The first row is 0.' }),
    uid: z.string(),
    outcome: z
      .enum(OUTCOMES)
      .meta({ description: 'What became of the row. `counts` of a batch explains each outcome.' }),
    at: InstantSchema.nullable().meta({
      description: 'When the outcome was read. Null if the row was not started.',
    }),
    state: z.string().nullable().meta({ description: 'The state of the resource or command then.' }),
    amount: z.int().nullable().meta({
      description: 'In cents. Only of a payment in a batch that repairs resources; otherwise null.',
    }),
    awaiting: z.enum(AWAITED).nullable().meta({ description: 'The event that a `blocked` row waits for.' }),
    refusals: z.array(
      z.object({
        code: z.string().meta({
          description:
            'A problem code, the provider’s code, or the rule of identification that refuses the row.',
        }),
        pointer: z.string().meta({
          description: 'A JSON pointer that names the wrong field in the body.',
          example: '/rows/17/amount',
        }),
        detail: z.string(),
      }),
    ),
    links: z.object({
      resource: z.string().meta({ description: 'Leads to the resource of the row.' }),
    }),
  })
  .meta({ id: 'BatchRow' });

const RowsNoLongerKept = z
  .object({ first: z.int(), last: z.int(), counts: Counts })
  .meta({ id: 'RowsNoLongerKept', description: 'A range of rows by index, both ends included.' });
export const BatchRowsAnswer = z
  .object({
    data: z.array(BatchRow),
    no_longer_kept: z.array(RowsNoLongerKept).meta({
      description:
        'Rows before the end of this page that cannot be read, because Temporal’s retention has passed.',
    }),
    links: NextLink,
  })
  .meta({ id: 'BatchRowsAnswer' });

function batchAnswer(ui: TemporalUi, view: BatchView): Batch {
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
    repair: repairAnswer(view),
    commands: view.commands,
    ...followedOf(view),
    links: recordedLinks(ui, 'batch', view.id, { rows: `${pathTo('batch', view.id)}/rows` }),
  };
}

function repairAnswer({ repair, amounts = {} }: BatchView): Batch['repair'] {
  if (repair === undefined) return null;
  const { reason, filter, decision = null } = repair;
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) given[name] = value;
  return { reason, filter: given, decision, amounts: countsAnswer(amounts) };
}

const countsAnswer = (counts: OutcomeCounts): Record<string, number> =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts[outcome] ?? 0]));

export const rowsNoLongerKept = ({ first, size, counts }: Chunk): z.output<typeof RowsNoLongerKept> => ({
  first,
  last: first + size - 1,
  counts: countsAnswer(counts),
});

const ROOM: Readonly<Record<BatchKind, string>> = {
  agreements: 'agreements',
  payments: 'payments',
  identifications: 'agreements',
  retries: 'payments',
  // Each row names its own kind.
  resolutions: 'agreements',
};

export const rowAnswer = (
  { kind }: Pick<BatchView, 'kind'>,
  { index, uid, answer, amount, resource }: RowView,
): z.output<typeof BatchRow> => ({
  index,
  uid,
  outcome: answer?.outcome ?? 'waiting',
  at: answer?.at ?? null,
  state: answer?.state ?? null,
  amount: amount ?? null,
  awaiting: answer?.awaiting ?? null,
  refusals: (answer?.refusals ?? []).map(({ pointer, ...refusal }) => ({
    ...refusal,
    pointer: `/rows/${index}${pointer}`,
  })),
  links: { resource: resource === undefined ? `/v1/${ROOM[kind]}/${uid}` : pathTo(resource, uid) },
});

export const BATCH = apiResource<{ View: BatchView; Answer: Batch; Gateway: Gateway['batches'] }>({
  name: 'batch',
  tag: 'batches',
  gateway: ({ batches }) => batches,
  schema: Batch,
  answer: batchAnswer,
  // Every row has its outcome or waits for a person, or the batch is paused.
  isDecided: ({ state, counts }) =>
    state === 'paused' ||
    (state !== 'receiving' && (counts.waiting ?? 0) === 0 && (counts.started ?? 0) === 0),
  guide: {
    read: 'operating.md#read-a-batch',
    fields:
      '`counts` has the number of rows with each outcome. Read the rows with `GET /v1/batches/{uid}/rows`, for example with `outcome=refused`.',
    decided: 'no row is waiting or started, or the batch is paused',
  },
});
