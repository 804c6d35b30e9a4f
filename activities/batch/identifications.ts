// Handles batch rows that add a client or a payment account to an agreement, under the same rules as a single request. Each row asks
// its agreement once to send the identification. It is then followed until the provider has answered.
import { WorkflowNotFoundError } from '@temporalio/common';
import { blockedBy } from '../../domain/batch/blocked.js';
import { refusedRow, type IdentificationRow, type RowAnswer } from '../../domain/batch/rows.js';
import { refusalsToIdentify } from '../../domain/agreement/identification.js';
import {
  agreementWorkflowId,
  getAgreement,
  requestAction,
  type ActionView,
  type RecordedAgreementView,
} from '../../workflows/agreement/contract.js';
import { viewOrAway } from '../temporal/ask.js';
import { createSlots } from '../temporal/slots.js';
import { whyOf } from './states.js';
import { newsOf } from './unanswered.js';
import { refusalOfUpdate, rowRefused } from './runs.js';
import type { ActionStage } from '../../domain/agreement/action.js';
import { agreementNotFound, isAsBefore, type RowsOf, type RowsTask, type Scene } from './rows.js';

/** Stays the same however often the row is started. It never equals a caller's key, which is a digest. */
const keyOf = ({ task }: Scene): string => `batch/${task.batch}`;

/** So that two hundred agreements without an answer take less than the timeout of `watchRows`. */
const READS_AT_ONCE = 5;

const outcomeOf = (stage: ActionStage): RowAnswer['outcome'] =>
  stage === 'done' ? 'done' : stage === 'failed' || stage === 'refused' ? 'failed' : 'started';

/** The uids of the debtors' payment accounts in the rows. */
export const accountsNamed = ({ rows }: RowsTask): string[] =>
  rows.flatMap((row) => {
    if (row.kind !== 'agreements' && row.kind !== 'identifications') return [];
    const { debtor } = row.kind === 'agreements' ? row.mandate : row.ask;
    return debtor?.payment_account_uid ?? [];
  });

export const IDENTIFICATION_ROWS: RowsOf<IdentificationRow> = {
  judge: async (scene, row) => {
    const { deps, task } = scene;
    const refuse = (code: string, detail: string) => rowRefused(code, '/uid', detail, deps.now());
    const view = await viewOrAway<RecordedAgreementView>(deps, 'agreement', row.uid, getAgreement);
    const isElsewhere = task.connectionId !== undefined && task.connectionId !== view?.connectionId;
    if (view === undefined || isElsewhere) return refuse('not_found', agreementNotFound(task));
    const { state } = view;
    if (state === 'unknown') return refuse('agreement_unknown', 'the provider does not know this agreement');
    const before = actionIn(scene, view);
    if (before !== undefined) return ofAction(scene, before);
    const reader = { client: scene.clients, account: scene.accounts };
    const refusals = await refusalsToIdentify(reader, { ...view, state }, row.ask, deps.highRisk);
    return refusals.length === 0 ? undefined : refusedRow(refusals, new Date(deps.now()).toISOString());
  },
  start: async (scene, row) => {
    const { deps, task } = scene;
    const key = keyOf(scene);
    const request = {
      key,
      callersKey: task.batch,
      by: task.by,
      command: { kind: 'identification' as const, body: row.ask },
    };
    const handle = deps.temporal.workflow.getHandle(agreementWorkflowId(row.uid));
    const at = new Date(deps.now()).toISOString();
    try {
      const updateId = `${requestAction.name}/${key}`;
      await handle.executeUpdate(requestAction, { args: [request], updateId });
      return { outcome: 'started', at, state: 'asked' };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) return refusedRow([refusalOfUpdate(error)], at);
      return rowRefused('agreement_final', '', 'the agreement has ended', deps.now());
    }
  },
  watch: (scene, rows) => {
    const inSlot = createSlots(READS_AT_ONCE);
    return Promise.all(
      rows.map(({ uid }) =>
        inSlot(() => newsOf(scene, { uid, state: 'asked' }, () => identificationNews(scene, uid))),
      ),
    );
  },
};

async function identificationNews(scene: Scene, uid: string): Promise<RowAnswer | null> {
  const view = await viewOrAway<RecordedAgreementView>(scene.deps, 'agreement', uid, getAgreement);
  const action = view && actionIn(scene, view);
  const answer = action === undefined ? lostIn(scene) : ofAction(scene, action);
  const awaiting = answer.outcome === 'started' ? blockedBy(view?.awaiting.what) : undefined;
  const outcome = awaiting === undefined ? answer.outcome : 'blocked';
  if (isAsBefore(scene.task, uid, outcome, awaiting)) return null;
  if (outcome !== 'blocked') return answer;
  const why = whyOf(undefined, '', view?.attention ?? []);
  return { ...refusedRow(why, answer.at, outcome), state: answer.state, awaiting };
}

const actionIn = (scene: Scene, { actions }: RecordedAgreementView): ActionView | undefined =>
  actions.find(({ key }) => key === keyOf(scene));

/** The agreement keeps its ten newest commands. An older one has no visible outcome any more. */
const lostIn = ({ deps }: Scene): RowAnswer => ({
  ...rowRefused('unanswered', '', 'the outcome is no longer visible; check the agreement', deps.now()),
  outcome: 'parked',
});

function ofAction({ deps, task }: Scene, { stage, failure }: ActionView): RowAnswer {
  const at = new Date(deps.now()).toISOString();
  const outcome = task.isDryRun ? 'passes' : outcomeOf(stage);
  if (outcome !== 'failed') return { outcome, at, state: stage };
  const { code = stage, title = 'the provider gave no reason' } = failure ?? {};
  return { ...refusedRow([{ code, pointer: '', detail: title }], at, 'failed'), state: stage };
}
