// Handles batch rows that take a payment. The agreement judges and admits it like a single payment, once even if the request is repeated.
import { WorkflowNotFoundError } from '@temporalio/common';
import { ifFound } from '../../delivery/open.js';
import { withMinute } from '../../delivery/unanswered.js';
import { blockedBy } from '../../domain/batch/blocked.js';
import { outcomeOfState, refusedRow, type PaymentRow, type RowAnswer } from '../../domain/batch/rows.js';
import { firstDifference, isSame } from '../../domain/commands/differences.js';
import { isOfAnother } from '../../domain/agreement/repeat.js';
import { goneInWords } from '../../domain/records/remembered.js';
import { RECORDS_NEEDED } from '../../domain/commands/records-needed.js';
import {
  agreementWorkflowId,
  judgePayment,
  requestPayment,
  type PaymentRequest,
} from '../../workflows/agreement/contract.js';
import { CONNECTION_ID, PAYMENT_STATE } from '../../workflows/contracts/search-attributes.js';
import { getPayment, type PaymentView } from '../../workflows/payment/contract.js';
import { recordedIn } from '../payment/recorded.js';
import { ask, before, viewOf, viewOrAway } from '../temporal/ask.js';
import { publicCode, refusalOfUpdate, rowRefused } from './runs.js';
import { watchStates, whyOf } from './states.js';
import { agreementNotFound, type RowsOf, type Scene } from './rows.js';

/** @throws if its record is gone: the next attempt refuses the row (carry-out-rows.ts). */
async function requestOf(
  { deps, task }: Scene,
  { uid, order, handling }: PaymentRow,
): Promise<PaymentRequest> {
  const recorded = await before(deps, 'payment', uid);
  if (recorded.found?.is === 'gone') throw new Error(goneInWords(`payment ${uid}`, recorded.found));
  return { uid, order, handling, by: task.by, recorded: recordedIn(recorded) };
}

export const PAYMENT_ROWS: RowsOf<PaymentRow> = {
  judge: async (scene, row) => {
    const { temporal } = scene.deps;
    const elsewhere = await elsewhereOf(scene, row);
    if (elsewhere !== undefined) return elsewhere;
    const at = new Date(scene.deps.now()).toISOString();
    const request = { ...(await requestOf(scene, row)), at };
    const judged = await ask(temporal, agreementWorkflowId(row.order.agreement_uid), judgePayment, request);
    if (judged === undefined) return withoutRun(scene, row);
    if (judged.refusal === undefined) return judged.repeatOf === undefined ? undefined : asBefore(scene, row);
    const { code, pointer = '', detail } = judged.refusal;
    if (code === RECORDS_NEEDED.code) throw new Error(detail);
    // An ended or reset agreement no longer lists the payments that it admitted, but the payment itself still exists.
    const before = await paymentOf(scene, row.uid);
    if (before !== undefined && isTheSame(scene, row, before)) return ofPayment(scene, before);
    return refusedRow([{ code: publicCode(code), pointer, detail }], at);
  },
  start: async (scene, row) => {
    const { temporal } = scene.deps;
    const args: [PaymentRequest] = [await requestOf(scene, row)];
    const handle = temporal.workflow.getHandle(agreementWorkflowId(row.order.agreement_uid));
    const updateId = withMinute(`${requestPayment.name}/batch/${scene.task.batch}/${row.uid}`);
    try {
      const { repeatOf } = await handle.executeUpdate(requestPayment, { args, updateId });
      if (repeatOf === undefined)
        return { outcome: 'started', at: new Date(scene.deps.now()).toISOString(), state: 'requested' };
    } catch (error) {
      const refusal = error instanceof WorkflowNotFoundError ? ENDED : refusalOfUpdate(error);
      if (refusal.code === RECORDS_NEEDED.code) throw error;
      const before = await paymentOf(scene, row.uid);
      if (before !== undefined && isTheSame(scene, row, before)) return ofPayment(scene, before);
      return refusedRow([refusal], new Date(scene.deps.now()).toISOString());
    }
    const answer = await asBefore(scene, row);
    // The payment was admitted just now and may not have started yet.
    return answer ?? { outcome: 'started', at: new Date(scene.deps.now()).toISOString(), state: 'requested' };
  },
  watch: (scene, rows) =>
    watchStates(
      scene,
      rows,
      { resource: 'payment', attribute: PAYMENT_STATE, initial: 'requested' },
      async (uid) => {
        const view = await viewOf(scene.deps, 'payment', uid, getPayment);
        return view === undefined ? null : ofPayment(scene, view);
      },
    ),
};

/** The answer to a repeated row; undefined if no payment has the uid. */
async function asBefore(scene: Scene, row: PaymentRow): Promise<RowAnswer | undefined> {
  const before = await paymentOf(scene, row.uid);
  if (before === undefined) return undefined;
  if (isTheSame(scene, row, before)) return ofPayment(scene, before);
  const detail = 'the uid was already used with different details or by another caller';
  return rowRefused('idempotency_conflict', '/uid', detail, scene.deps.now());
}

const ENDED = {
  code: 'agreement_not_active',
  pointer: '',
  detail: 'the agreement has ended; expected an active agreement',
};

/** No run has the agreement. Temporal forgets one only after its end. @throws while the records are away: the row is tried again. */
async function withoutRun(scene: Scene, row: PaymentRow): Promise<RowAnswer> {
  const { deps } = scene;
  const agreement = await deps.records.remembered('agreement', row.order.agreement_uid);
  if (agreement === undefined || isElsewhere(scene, agreement.connectionId)) return notFound(scene);
  const before = await paymentOf(scene, row.uid);
  if (before !== undefined && isTheSame(scene, row, before)) return ofPayment(scene, before);
  return refusedRow([ENDED], new Date(deps.now()).toISOString());
}

/** Refuses an agreement of another connection if the batch names one. */
async function elsewhereOf({ deps, task }: Scene, { order }: PaymentRow): Promise<RowAnswer | undefined> {
  const { connectionId } = task;
  if (connectionId === undefined) return undefined;
  const handle = deps.temporal.workflow.getHandle(agreementWorkflowId(order.agreement_uid));
  const run = await ifFound(handle.describe());
  const on = run?.typedSearchAttributes.get(CONNECTION_ID);
  return isElsewhere({ task }, on) ? notFound({ deps, task }) : undefined;
}

const isElsewhere = ({ task: { connectionId } }: Pick<Scene, 'task'>, on: string | undefined): boolean =>
  connectionId !== undefined && on !== undefined && on !== connectionId;

const notFound = ({ deps, task }: Pick<Scene, 'deps' | 'task'>): RowAnswer =>
  rowRefused('not_found', '/agreement_uid', agreementNotFound(task), deps.now());

/** @throws while the records are away and only they can tell: an answer to a row is final. */
const paymentOf = ({ deps }: Scene, uid: string): Promise<PaymentView | undefined> =>
  viewOrAway(deps, 'payment', uid, getPayment);

const isTheSame = ({ task }: Scene, { order, handling = {} }: PaymentRow, before: PaymentView): boolean =>
  !isOfAnother(before, task.by) &&
  firstDifference(order, before.order) === undefined &&
  isSame(handling, before.handling ?? {});

function ofPayment({ deps, task }: Scene, { state, awaiting, failure, attention }: PaymentView): RowAnswer {
  const outcome = task.isDryRun ? 'passes' : outcomeOfState('payments', state, awaiting.what);
  const at = new Date(deps.now()).toISOString();
  if (outcome !== 'failed' && outcome !== 'blocked') return { outcome, at, state };
  const why = whyOf(failure, state, attention);
  return { ...refusedRow(why, at, outcome), state, awaiting: blockedBy(awaiting.what) };
}
