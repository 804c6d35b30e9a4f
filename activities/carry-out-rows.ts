// Begins rows of a batch, one after the other and no faster than leaves the rate of calls to others; and sees what became of them.
import { Context } from '@temporalio/activity';
import { isAnswer } from '../domain/batch/rows.js';
import { createAccountReader } from './batch/accounts.js';
import { AGREEMENT_ROWS } from './batch/agreements.js';
import { IDENTIFICATION_ROWS, accountsNamed } from './batch/identifications.js';
import { PAYMENT_ROWS } from './batch/payments.js';
import { createClientReader } from './batch/runs.js';
import { nothingYet } from './failure.js';
import { withHeartbeats } from './attempts/heartbeat.js';
import { createPace } from './temporal/pace.js';
import { createVisibility } from './temporal/visibility.js';
import type {
  AgreementRow,
  BatchRow,
  IdentificationRow,
  PaymentRow,
  RowAnswer,
} from '../domain/batch/rows.js';
import type { RowsTask, Scene } from './batch/rows.js';

/** So many attempts to see all of them; from then on some will do. */
const FOR_ALL = 3;

export function rowActivities(deps: Scene['deps'], visibility = createVisibility(deps.temporal)) {
  const sceneOf = (task: RowsTask): Scene => ({
    ...{ deps, visibility, task },
    clients: createClientReader(deps.temporal, visibility),
    accounts: createAccountReader(deps.temporal, visibility, accountsNamed(task)),
  });
  return {
    /** The answers in the order of the rows. An attempt after a crash goes on behind the last one that is known; what it repeats is harmless. */
    beginRows: async (task: RowsTask): Promise<RowAnswer[]> => {
      const scene = sceneOf(task);
      const answers = answersIn(Context.current().info.heartbeatDetails);
      const acquire = createPace({ intervalMs: task.isDryRun ? 0 : deps.sweep.paceMs, burst: 1 });
      const begin = async (): Promise<RowAnswer[]> => {
        for (const row of task.rows.slice(answers.length)) {
          await acquire();
          answers.push(await carryOut(scene, row));
        }
        return answers;
      };
      return withHeartbeats(begin, () => answers);
    },
    /** @throws ApplicationFailure `nothing_new` while there is none, or at first not all: asked again at its poll intervals. */
    watchRows: async (task: RowsTask): Promise<(RowAnswer | null)[]> => {
      const answers = await withHeartbeats(() => watched(sceneOf(task), task.rows));
      const found = answers.filter((answer) => answer !== null && isAnswer(answer.outcome)).length;
      const { attempt } = Context.current().info;
      if (found === answers.length || (found > 0 && attempt >= FOR_ALL)) return answers;
      throw nothingYet('rows', `${found} of ${answers.length} rows have their answer`);
    },
  };
}

async function carryOut(scene: Scene, row: BatchRow): Promise<RowAnswer> {
  const { isDryRun } = scene.task;
  const judged = await judge(scene, row);
  if (judged !== undefined) return judged;
  return isDryRun ? { outcome: 'passes', at: new Date(scene.deps.now()).toISOString() } : begin(scene, row);
}

function judge(scene: Scene, row: BatchRow): Promise<RowAnswer | undefined> {
  switch (row.kind) {
    case 'agreements':
      return AGREEMENT_ROWS.judge(scene, row);
    case 'payments':
      return PAYMENT_ROWS.judge(scene, row);
    case 'identifications':
      return IDENTIFICATION_ROWS.judge(scene, row);
  }
}

function begin(scene: Scene, row: BatchRow): Promise<RowAnswer> {
  switch (row.kind) {
    case 'agreements':
      return AGREEMENT_ROWS.begin(scene, row);
    case 'payments':
      return PAYMENT_ROWS.begin(scene, row);
    case 'identifications':
      return IDENTIFICATION_ROWS.begin(scene, row);
  }
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
    case undefined:
      return Promise.resolve([]);
  }
}

const isOf =
  <Row extends BatchRow>(kind: Row['kind']) =>
  (row: BatchRow): row is Row =>
    row.kind === kind;

/** What an attempt before this one has left, which is ours and of this very task; anything else begins anew. */
const answersIn = (details: unknown): RowAnswer[] =>
  Array.isArray(details) ? details.filter(isRowAnswer) : [];
const isRowAnswer = (value: unknown): value is RowAnswer =>
  typeof value === 'object' && value !== null && 'outcome' in value;
