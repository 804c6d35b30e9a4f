// Delivers the notification of an unmatched credit to its case. Needs no worker. A repeated notification writes no event.
import { createHash } from 'node:crypto';
import { WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import {
  REPORTED_MEMO,
  UNMATCHED_CREDIT_WORKFLOW,
  creditReported,
  joinReport,
  reportedBy,
  unmatchedCreditWorkflowId,
  type UnmatchedCreditInput,
} from '../workflows/unmatched-credit/contract.js';
import { CONNECTION_ID } from '../workflows/contracts/search-attributes.js';
import { awaits, isFound, isStarted } from './open.js';
import type { CreditReport } from '../domain/float/credit.js';
import type { Fact } from '../domain/facts/fact.js';
import type { Destination } from './reopen.js';

/** `new`: the case has the notification now. `known`: it had it before. `over`: the case was decided without it. */
export type CreditDelivered = 'new' | 'known' | 'over';

/** Resolves once the notification is durable, except if the case is over. @throws the errors of Temporal's client. */
export async function deliverCredit(
  to: Destination,
  credit: CreditReport,
  fact: Fact,
): Promise<CreditDelivered> {
  if (await startCase(to, { uid: credit.uid, accountUid: credit.accountUid, fact })) return 'new';
  const handle = to.client.workflow.getHandle(unmatchedCreditWorkflowId(credit.uid));
  const { memo } = await handle.describe();
  const reported = memo?.[REPORTED_MEMO];
  if (reported === 'fact' || reported === reportedBy(fact)) return 'known';
  return (await isFound(handle.signal(creditReported, fact))) ? 'new' : 'over';
}

/**
 * Starts the case of a credit. Without a fact, only its entry has shown the credit, on this connection.
 * @returns false if it has a case.
 */
export function startCase(
  { client, taskQueue }: Destination,
  input: UnmatchedCreditInput,
  connectionId?: string,
): Promise<boolean> {
  const { uid, accountUid, fact } = input;
  const found = fact === undefined ? ', found by its entry' : '';
  return isStarted(
    client.workflow.start(UNMATCHED_CREDIT_WORKFLOW, {
      ...{ taskQueue, workflowId: unmatchedCreditWorkflowId(uid), args: [input] },
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `Unmatched credit${found}, float account ${accountUid}`,
      memo: { [REPORTED_MEMO]: reportedBy(fact) },
      typedSearchAttributes: [
        ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
        ...awaits('look-up'),
      ],
    }),
  );
}

/** The id of an event may contain a name, and ids of updates are in clear. @returns false if the case has a notification, was decided, or has ended. */
export async function joinCase({ workflow }: Client, caseUid: string, fact: Fact): Promise<boolean> {
  const run = workflow.getHandle(unmatchedCreditWorkflowId(caseUid));
  try {
    return await isFound(
      run.executeUpdate(joinReport, {
        args: [fact],
        updateId: `join ${createHash('sha256').update(fact.id).digest('hex')}`,
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return false;
    throw error;
  }
}
