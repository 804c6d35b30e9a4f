// Starts the rows of batches within the rate limit, and reads their outcomes.
import { Context } from '@temporalio/activity';
import { batchWorkflowId, getDirection } from '../workflows/batch/contract.js';
import { createAccountReader } from './batch/accounts.js';
import { AGREEMENT_ROWS } from './batch/agreements.js';
import { IDENTIFICATION_ROWS, accountsNamed } from './batch/identifications.js';
import { PAYMENT_ROWS } from './batch/payments.js';
import { RESOLUTION_ROWS } from './batch/resolutions.js';
import { RETRY_ROWS } from './batch/retries.js';
import { createClientReader, rowRefused } from './batch/runs.js';
import { limited, unanswered } from './batch/unanswered.js';
import { nothingYet } from './failure.js';
import { withHeartbeats } from './attempts/heartbeat.js';
import { instantOf } from './resource/snapshot.js';
import { createPace } from './temporal/pace.js';
import { goneInWords } from '../domain/records/remembered.js';
import { ask, rememberedNow } from './temporal/ask.js';
import { createSlots } from './temporal/slots.js';
import { createVisibility } from './temporal/visibility.js';
import type {
  AgreementRow,
  BatchRow,
  Direction,
  IdentificationRow,
  PaymentRow,
  ResolutionRow,
  RetryRow,
  RowAnswer,
} from '../domain/batch/rows.js';
import {
  ofConnection,
  type RowsOf,
  type RowsTask,
  type Scene,
  type StartedRows,
  type WatchTask,
} from './batch/rows.js';

/** Before this attempt, `watchRows` waits for news of all rows. From this attempt on, news of one row is enough. */
const FOR_ALL = 3;
/** How many rows of all batches one process starts at the same time. When a batch is paused, at most this many still start. */
const AT_ONCE = 5;

export function rowActivities(deps: Scene['deps'], visibility = createVisibility(deps.temporal)) {
  const acquire = createPace({ intervalMs: deps.sweep.paceMs, burst: 1 });
  const inSlot = createSlots(AT_ONCE);
  const sceneOf = (task: RowsTask): Scene => ({
    ...{ deps, visibility, task },
    clients: ofConnection(createClientReader(deps, visibility), task.connectionId),
    accounts: ofConnection(createAccountReader(deps, visibility, accountsNamed(task)), task.connectionId),
  });
  const carryOutNext = async (scene: Scene, row: BatchRow): Promise<RowAnswer | Direction> => {
    if (!scene.task.isDryRun) await acquire();
    return inSlot(() => unlessStopped(scene, row));
  };
  return {
    /** An attempt after a crash continues after the last received answer. Repeating a row is harmless. */
    startRows: async (task: RowsTask): Promise<StartedRows> => {
      const scene = sceneOf(task);
      const answers = answersIn(Context.current().info.heartbeatDetails);
      const start = async (): Promise<StartedRows> => {
        for (const row of task.rows.slice(answers.length)) {
          const next = await carryOutNext(scene, row);
          if ('course' in next) return { answers, direction: next };
          answers.push(next);
        }
        return { answers };
      };
      return withHeartbeats(start, () => answers);
    },
    /** @throws ApplicationFailure `nothing_new` if no row has news, or in the first attempts if only some rows have news. */
    watchRows: async ({ isBrief, unanswered: uids, ...task }: WatchTask): Promise<(RowAnswer | null)[]> => {
      const scene = sceneOf(task);
      const started = task.rows.filter(({ uid }) => !uids.includes(uid));
      const open = task.rows.filter(({ uid }) => uids.includes(uid));
      const { news, retried } = await withHeartbeats(async () => ({
        news: await watched(scene, started),
        retried: isBrief
          ? new Map<string, RowAnswer>()
          : await again(open, (row) => carryOutNext(scene, row)),
      }));
      const answers = task.rows.map((row) => retried.get(row.uid) ?? news[started.indexOf(row)] ?? null);
      const found = answers.filter((answer) => answer !== null).length;
      const { attempt } = Context.current().info;
      const isEnough = attempt >= FOR_ALL || retried.size > 0;
      if (isBrief || found === answers.length || (found > 0 && isEnough)) return answers;
      throw nothingYet('rows', `${found} of ${answers.length} rows have news`);
    },
  };
}

/** Starts a few unanswered rows again, chosen at random so that each gets a chance. The result has only the rows with an answer. */
async function again(
  rows: BatchRow[],
  carryOutNext: (row: BatchRow) => Promise<RowAnswer | Direction>,
): Promise<Map<string, RowAnswer>> {
  const answers = new Map<string, RowAnswer>();
  const from = Math.floor(Math.random() * rows.length);
  for (const row of [...rows.slice(from), ...rows.slice(0, from)].slice(0, AT_ONCE)) {
    // An error here means that the batch itself does not answer. The news of the other rows still count.
    const next = await carryOutNext(row).catch(() => undefined);
    if (next === undefined || 'course' in next) break;
    if (next.isUnanswered !== true) answers.set(row.uid, next);
  }
  return answers;
}

/** Reads the batch before each row, so that a pause stops all further rows. A batch past Temporal's retention does not stop its rows. */
async function unlessStopped(scene: Scene, row: BatchRow): Promise<RowAnswer | Direction> {
  const { deps, task } = scene;
  const direction = await limited(scene, () => ask(deps.temporal, batchWorkflowId(task.batch), getDirection));
  if (direction !== undefined && direction.course !== 'going') return direction;
  try {
    return await limited(scene, () => carryOut(scene, row));
  } catch (error) {
    return { ...unanswered(scene, error), isUnanswered: true };
  }
}

function carryOut(scene: Scene, row: BatchRow): Promise<RowAnswer> {
  switch (row.kind) {
    case 'agreements':
      return carryOutAs(AGREEMENT_ROWS, scene, row);
    case 'payments':
      return carryOutAs(PAYMENT_ROWS, scene, row);
    case 'identifications':
      return carryOutAs(IDENTIFICATION_ROWS, scene, row);
    case 'retries':
      return carryOutAs(RETRY_ROWS, scene, row);
    case 'resolutions':
      return carryOutAs(RESOLUTION_ROWS, scene, row);
  }
}

async function carryOutAs<Row extends BatchRow>(
  kind: RowsOf<Row>,
  scene: Scene,
  row: Row,
): Promise<RowAnswer> {
  const judged = (await refusedAsGone(scene, row)) ?? (await kind.judge(scene, row));
  if (judged !== undefined) return judged;
  return scene.task.isDryRun ? { outcome: 'passes', at: instantOf(scene.deps) } : kind.start(scene, row);
}

/** A uid whose record has expired or was erased cannot be used again. */
async function refusedAsGone({ deps }: Scene, row: BatchRow): Promise<RowAnswer | undefined> {
  const { kind, uid } = row;
  const isPayment = kind === 'payments' || kind === 'retries';
  const resource = kind === 'resolutions' ? row.resource : isPayment ? 'payment' : 'agreement';
  const found = await rememberedNow(deps, resource, uid);
  if (found?.is !== 'gone') return undefined;
  return rowRefused('gone', '/uid', goneInWords(`this ${resource}`, found), deps.now());
}

/** A batch has rows of one kind. */
function watched(scene: Scene, rows: readonly BatchRow[]): Promise<(RowAnswer | null)[]> {
  const [first] = rows;
  switch (first?.kind) {
    case 'agreements':
      return AGREEMENT_ROWS.watch(scene, rows.filter(isOf<AgreementRow>('agreements')));
    case 'payments':
      return PAYMENT_ROWS.watch(scene, rows.filter(isOf<PaymentRow>('payments')));
    case 'identifications':
      return IDENTIFICATION_ROWS.watch(scene, rows.filter(isOf<IdentificationRow>('identifications')));
    case 'retries':
      return RETRY_ROWS.watch(scene, rows.filter(isOf<RetryRow>('retries')));
    case 'resolutions':
      return RESOLUTION_ROWS.watch(scene, rows.filter(isOf<ResolutionRow>('resolutions')));
    case undefined:
      return Promise.resolve([]);
  }
}

const isOf =
  <Row extends BatchRow>(kind: Row['kind']) =>
  (row: BatchRow): row is Row =>
    row.kind === kind;

/** The answers from an earlier attempt's heartbeat; none in any other case. */
const answersIn = (details: unknown): RowAnswer[] =>
  Array.isArray(details) ? details.filter(isRowAnswer) : [];
const isRowAnswer = (value: unknown): value is RowAnswer =>
  typeof value === 'object' && value !== null && 'outcome' in value;
