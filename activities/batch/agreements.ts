// Handles batch rows that create an agreement, under the same rules as a single request.
import { claimAgreementUid } from '../../delivery/claim.js';
import { isStarted } from '../../delivery/open.js';
import { agreementStart, begin } from '../../delivery/starts.js';
import { blockedBy } from '../../domain/batch/blocked.js';
import { outcomeOfState, refusedRow, type AgreementRow, type RowAnswer } from '../../domain/batch/rows.js';
import { initiationOf, refusalsOfInitiation } from '../../domain/client/may-initiate.js';
import { differenceFromAgreement, isOfAnother, isVacant } from '../../domain/agreement/repeat.js';
import { getAgreement, type RecordedAgreementView } from '../../workflows/agreement/contract.js';
import { AGREEMENT_STATE } from '../../workflows/contracts/search-attributes.js';
import { before, viewOf } from '../temporal/ask.js';
import { rowRefused } from './runs.js';
import { watchStates, whyOf } from './states.js';
import type { RowsOf, Scene } from './rows.js';

export const AGREEMENT_ROWS: RowsOf<AgreementRow> = {
  judge: async (scene, row) => {
    const found = await viewOf<RecordedAgreementView>(scene.deps, 'agreement', row.uid, getAgreement);
    return found === undefined || isVacant(found) ? ofInitiator(scene, row) : ofFound(scene, row, found);
  },
  start: async (scene, row) => {
    const { deps, task } = scene;
    const { uid, mandate, payer } = row;
    const { connectionId } = task;
    if (connectionId === undefined) throw new Error('a batch of agreements needs a connectionId');
    const to = { client: deps.temporal, taskQueue: deps.taskQueue };
    const now = new Date(deps.now());
    const input = { uid, connectionId, mandate, payer, requestedBy: task.by };
    const { found, isUnchecked } = await before(deps, 'agreement', uid);
    const start = agreementStart({ ...input, isUnchecked }, now);
    if (found === undefined && (await isStarted(begin(to, start))))
      return { outcome: 'started', at: now.toISOString(), state: 'pending' };
    const view = await viewOf<RecordedAgreementView>(deps, 'agreement', uid, getAgreement);
    if (view === undefined) throw new Error(`agreement ${uid} exists; expected the next attempt to read it`);
    return ofFound(scene, row, isVacant(view) ? await claimAgreementUid(to, input) : view);
  },
  watch: (scene, rows) =>
    watchStates(
      scene,
      rows,
      { resource: 'agreement', attribute: AGREEMENT_STATE, initial: 'pending' },
      async (uid, listed) => {
        const view = await viewOf<RecordedAgreementView>(scene.deps, 'agreement', uid, getAgreement);
        const why = view === undefined ? [] : whyOf(view.stateReason, 'failed', view.attention);
        return { ...refusedRow(why, listed.at), ...listed };
      },
    ),
};

/** Why a new agreement may not be created. Checked for each row, because a client may be suspended while the batch runs. */
async function ofInitiator(
  { clients, accounts, deps, task: { connectionId } }: Scene,
  { mandate: { initiator, debtor } }: AgreementRow,
): Promise<RowAnswer | undefined> {
  const initiating = { connectionId, isNew: true, initiator, debtor };
  const initiation = await initiationOf({ client: clients, account: accounts }, initiating, deps.highRisk);
  const refusals = refusalsOfInitiation(initiation);
  return refusals.length === 0 ? undefined : refusedRow(refusals, new Date(deps.now()).toISOString());
}

/** A repeated row must match the existing agreement. Another agreement with the same uid is a conflict. */
function ofFound(
  { deps, task }: Scene,
  { uid, mandate }: AgreementRow,
  found: RecordedAgreementView,
): RowAnswer {
  const { connectionId: connection } = task;
  const isElsewhere = found.connectionId !== undefined && found.connectionId !== connection;
  const pointer =
    isOfAnother(found, task.by) || isElsewhere
      ? '/uid'
      : differenceFromAgreement({ connection, mandate }, found);
  if (pointer !== undefined)
    return rowRefused(
      'idempotency_conflict',
      pointer === '' ? '/uid' : pointer,
      `agreement ${uid} already exists with different details or belongs to another caller`,
      deps.now(),
    );
  const { state } = found;
  const outcome = task.isDryRun ? 'passes' : outcomeOfState('agreements', state, found.awaiting.what);
  const awaiting = outcome === 'blocked' ? blockedBy(found.awaiting.what) : undefined;
  return { outcome, at: new Date(deps.now()).toISOString(), state, awaiting };
}
