// Starts a case for each credit that nothing explains: its notification was lost, or it has none.
import { isUid } from '../../domain/provider/uid.js';
import {
  REPORTED_MEMO,
  UNMATCHED_CREDIT_WORKFLOW,
  reportedBy,
  unmatchedCreditWorkflowId,
} from '../../workflows/unmatched-credit/contract.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../../workflows/contracts/search-attributes.js';
import type { UnmatchedCreditInput } from '../../workflows/unmatched-credit/contract.js';
import type { Dependencies } from '../dependencies.js';

/** Older entries are not matched again, and start no case. */
const MATCHED_AGAIN_MS = 40 * 24 * 3_600_000;

interface Account {
  uid: string;
  connectionId: string;
}

/** A repeat starts nothing more. Throws the errors of the database and of Temporal. */
export async function matchAndOpenCases(deps: Dependencies, account: Account): Promise<void> {
  const { records, credits, now } = deps;
  const from = new Date(now() - MATCHED_AGAIN_MS).toISOString();
  await records.matchEntries(account, from);
  const until = new Date(now() - credits.caseAfterMs).toISOString();
  const uids = await records.creditsWithoutCase(account.uid, { from, until });
  for (const uid of uids) if (isUid(uid)) await startCase(deps, account, uid);
}

async function startCase(
  { temporal, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>,
  { uid: accountUid, connectionId }: Account,
  uid: string,
): Promise<void> {
  const input: UnmatchedCreditInput = { uid, accountUid };
  try {
    await temporal.workflow.start(UNMATCHED_CREDIT_WORKFLOW, {
      ...{ taskQueue, workflowId: unmatchedCreditWorkflowId(uid), args: [input] },
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `Unmatched credit, found by its entry, float account ${accountUid}`,
      memo: { [REPORTED_MEMO]: reportedBy(undefined) },
      typedSearchAttributes: [
        { key: CONNECTION_ID, value: connectionId },
        { key: AWAITING, value: 'look-up' },
        { key: AWAITING_SINCE, value: new Date() },
      ],
    });
  } catch (error) {
    // Checked by name, because activities import Temporal's client only as a type.
    if (!(error instanceof Error) || error.name !== 'WorkflowExecutionAlreadyStartedError') throw error;
  }
}
