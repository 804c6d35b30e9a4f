// Handles batch rows that retry a failed payment, under the same rules as a single retry.
import { repeatOfUse } from '../../domain/commands/key-use.js';
import { blockedBy } from '../../domain/batch/blocked.js';
import { outcomeOfState, refusedRow, type RetryRow, type RowAnswer } from '../../domain/batch/rows.js';
import { refusalOfRetry, useOfRetry, type RetryRequest } from '../../domain/payment/retry.js';
import { upgrade } from '../../workflows/contracts/every-workflow.js';
import { PAYMENT_STATE } from '../../workflows/contracts/search-attributes.js';
import {
  getPayment,
  retryPayment,
  type PaymentEnd,
  type PaymentView,
} from '../../workflows/payment/contract.js';
import { viewOf } from '../temporal/ask.js';
import { refusalOfCommand, type AtEnd } from './commands.js';
import { isAsBefore, repairKey, type RowsOf, type Scene } from './rows.js';
import { watchStates, whyOf } from './states.js';

export const RETRY_ROWS: RowsOf<RetryRow> = {
  // The payment itself recognises a repeat, and judges the attempt that the row names.
  judge: () => Promise.resolve(undefined),
  start: async (scene, { uid, attempt }) => {
    const { deps, task } = scene;
    const request: RetryRequest = { key: repairKey(task, uid), by: task.by, attempt };
    const refusal = await refusalOfCommand<RetryRequest, PaymentEnd>(scene, {
      ...{ resource: 'payment', uid, definition: retryPayment, request, by: 'a retry' },
      atEnd: ({ carried }) => atEnd(upgrade(carried), request, deps.now()),
    });
    const at = new Date(deps.now()).toISOString();
    return refusal === undefined ? { outcome: 'started', at, state: 'retrying' } : refusedRow([refusal], at);
  },
  watch: (scene, rows) =>
    watchStates(
      scene,
      rows,
      { resource: 'payment', attribute: PAYMENT_STATE, initial: 'retrying', kind: 'retries' },
      async (uid) => {
        // A list may still show the failure that was retried.
        const view = await viewOf(scene.deps, 'payment', uid, getPayment);
        const answer = view && ofPayment(scene, view);
        const isNews = answer && !isAsBefore(scene.task, uid, answer.outcome, answer.awaiting);
        return isNews === true ? answer : null;
      },
    ),
};

/** A run that has ended is reopened only for a retry that would be allowed. */
function atEnd(state: PaymentEnd['carried']['state'], request: RetryRequest, nowMs: number): AtEnd {
  if (repeatOfUse(state, useOfRetry(state.uid, request)) === 'same') return { is: 'accepted' };
  const refusal = refusalOfRetry(state, new Date(nowMs).toISOString(), request.attempt);
  if (refusal === undefined) return { is: 'open' };
  return { is: 'refused', refusal: { code: refusal.code, pointer: '', detail: refusal.detail } };
}

function ofPayment({ deps }: Scene, { state, awaiting, failure, attention }: PaymentView): RowAnswer {
  const outcome = outcomeOfState('retries', state, awaiting.what);
  const at = new Date(deps.now()).toISOString();
  if (outcome !== 'failed' && outcome !== 'blocked') return { outcome, at, state };
  const why = whyOf(failure, state, attention);
  return { ...refusedRow(why, at, outcome), state, awaiting: blockedBy(awaiting.what) };
}
