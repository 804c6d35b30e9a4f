// A row of a batch that starts an agreement: judged, started and followed as a single request is.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { agreementStart, begin } from '../../delivery/starts.js';
import { blockedBy } from '../../domain/batch/blocked.js';
import { outcomeOfState, refusedRow } from '../../domain/batch/rows.js';
import { initiationOf, refusalsOfInitiation } from '../../domain/client/may-initiate.js';
import { differenceFromAgreement, isOfAnother } from '../../domain/commands/repeat.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import { AGREEMENT_STATE } from '../../workflows/entity/search-attributes.js';
import { ask } from '../temporal/ask.js';
import { rowRefused, statesAmong } from './runs.js';
import type { AgreementRow, RowAnswer } from '../../domain/batch/rows.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import { isAsBefore } from './rows.js';
import type { RowsOf, Scene } from './rows.js';

export const AGREEMENT_ROWS: RowsOf<AgreementRow> = {
  judge: async (scene, row) => {
    const found = await ask(scene.deps.temporal, agreementWorkflowId(row.uid), getAgreement);
    return found === undefined ? ofInitiator(scene, row) : ofFound(scene, row, found);
  },
  start: async (scene, row) => {
    const { deps, task } = scene;
    const { uid, mandate, payer } = row;
    const { connectionId } = task;
    if (connectionId === undefined) throw new Error('expected a batch of agreements to name its connection');
    const to = { client: deps.temporal, taskQueue: deps.taskQueue };
    const now = new Date(deps.now());
    try {
      const input = { uid, connectionId, mandate, payer, requestedBy: task.by };
      await begin(to, agreementStart(input, now));
      return { outcome: 'started', at: now.toISOString(), state: 'pending' };
    } catch (error) {
      const found =
        error instanceof WorkflowExecutionAlreadyStartedError
          ? await ask(deps.temporal, agreementWorkflowId(uid), getAgreement)
          : undefined;
      if (found === undefined) throw error;
      return ofFound(scene, row, found);
    }
  },
  watch: async ({ deps, visibility, task }, rows) => {
    const found = await statesAmong(
      visibility,
      { workflow: AGREEMENT_WORKFLOW, workflowIdOf: agreementWorkflowId, attribute: AGREEMENT_STATE },
      rows.map(({ uid }) => uid),
    );
    return Promise.all(
      rows.map(async ({ uid }): Promise<RowAnswer | null> => {
        const { state = 'pending', awaiting } = found.get(uid) ?? {};
        const outcome = outcomeOfState('agreements', state, awaiting);
        if (isAsBefore(task, uid, outcome, awaiting)) return null;
        const at = new Date(deps.now()).toISOString();
        if (outcome === 'done' || outcome === 'started') return { outcome, at, state };
        const view = await ask(deps.temporal, agreementWorkflowId(uid), getAgreement);
        return { ...refusedRow(whyOf(view), at), outcome, state, awaiting: blockedBy(awaiting) };
      }),
    );
  },
};

/** Why an agreement that does not exist yet may not begin. Each row asks, as a client may be suspended meanwhile. */
async function ofInitiator(
  { clients, accounts, deps, task: { connectionId } }: Scene,
  { mandate: { initiator, debtor } }: AgreementRow,
): Promise<RowAnswer | undefined> {
  const initiating = { connectionId, isNew: true, initiator, debtor };
  const initiation = await initiationOf({ client: clients, account: accounts }, initiating, deps.highRisk);
  const refusals = refusalsOfInitiation(initiation);
  return refusals.length === 0 ? undefined : refusedRow(refusals, new Date(deps.now()).toISOString());
}

/** A repeat is this very agreement; another one of its uid is not. */
function ofFound({ deps, task }: Scene, { uid, mandate }: AgreementRow, found: AgreementView): RowAnswer {
  const { connectionId: connection } = task;
  const pointer = isOfAnother(found, task.by)
    ? '/uid'
    : differenceFromAgreement({ connection, mandate }, found);
  const refuse = (code: string, at: string, detail: string) => rowRefused(code, at, detail, deps.now());
  if (pointer === 'nothing_to_compare')
    return refuse(
      'look_up_pending',
      '/uid',
      'it was not started here, and is being looked up at the provider',
    );
  if (pointer !== undefined)
    return refuse(
      'idempotency_conflict',
      pointer === '' ? '/uid' : pointer,
      `agreement ${uid} exists already, with other particulars or of another caller`,
    );
  const { state } = found;
  const outcome = task.isDryRun ? 'passes' : outcomeOfState('agreements', state, found.awaiting.what);
  const awaiting = outcome === 'blocked' ? blockedBy(found.awaiting.what) : undefined;
  return { outcome, at: new Date(deps.now()).toISOString(), state, awaiting };
}

const whyOf = (view: AgreementView | undefined) =>
  view === undefined
    ? []
    : [
        ...(view.stateReason === undefined
          ? []
          : [
              {
                code: view.stateReason.code ?? 'failed',
                pointer: '',
                detail: view.stateReason.title ?? 'the provider did not say why',
              },
            ]),
        ...view.attention.map(({ code, detail }) => ({ code, pointer: '', detail })),
      ];
