// Delivers the notification of an unmatched credit to its case. Needs no worker. A repeated notification writes no event.
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import {
  REPORTED_MEMO,
  UNMATCHED_CREDIT_WORKFLOW,
  creditReported,
  reportedBy,
  unmatchedCreditWorkflowId,
} from '../workflows/unmatched-credit/contract.js';
import { AWAITING, AWAITING_SINCE } from '../workflows/contracts/search-attributes.js';
import type { CreditReport } from '../domain/float/credit.js';
import type { Fact } from '../domain/facts/fact.js';
import type { UnmatchedCreditInput } from '../workflows/unmatched-credit/contract.js';
import type { Destination } from './reopen.js';

/** `new`: the case has the notification now. `known`: it had it before. `over`: the case was decided without it. */
export type CreditDelivered = 'new' | 'known' | 'over';

/** Resolves once the notification is durable, except if the case is over. @throws the errors of Temporal's client. */
export async function deliverCredit(
  to: Destination,
  credit: CreditReport,
  fact: Fact,
): Promise<CreditDelivered> {
  try {
    await startCase(to, credit, fact);
    return 'new';
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const handle = to.client.workflow.getHandle(unmatchedCreditWorkflowId(credit.uid));
  const { memo } = await handle.describe();
  const reported = memo?.[REPORTED_MEMO];
  if (reported === 'fact' || reported === reportedBy(fact)) return 'known';
  try {
    await handle.signal(creditReported, fact);
    return 'new';
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return 'over';
  }
}

async function startCase(
  { client, taskQueue }: Destination,
  credit: CreditReport,
  fact: Fact,
): Promise<void> {
  const input: UnmatchedCreditInput = { uid: credit.uid, accountUid: credit.accountUid, fact };
  await client.workflow.start(UNMATCHED_CREDIT_WORKFLOW, {
    ...{ taskQueue, workflowId: unmatchedCreditWorkflowId(credit.uid), args: [input] },
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: `Unmatched credit, float account ${credit.accountUid}`,
    memo: { [REPORTED_MEMO]: reportedBy(fact) },
    typedSearchAttributes: [
      { key: AWAITING, value: 'look-up' },
      { key: AWAITING_SINCE, value: new Date() },
    ],
  });
}
