// How the run of a new agreement is begun: alike for a single request and for a row of a batch.
// In:  api/temporal/agreements.ts, activities/batch/agreements.ts. Out: workflows/agreement/workflow.ts, by its contract alone.
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../workflows/agreement/contract.js';
import type { AgreementInput } from '../workflows/agreement/contract.js';
import {
  AGREEMENT_STATE,
  AGREEMENT_UID,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
} from '../workflows/entity/search-attributes.js';
import type { Destination } from './deliver.js';

/** @throws WorkflowExecutionAlreadyStartedError where there is, or was, one of that uid. */
export async function beginAgreement(
  { client, taskQueue }: Destination,
  input: AgreementInput & { connectionId: string },
  now: Date,
): Promise<void> {
  const { uid, connectionId } = input;
  await client.workflow.start(AGREEMENT_WORKFLOW, {
    workflowId: agreementWorkflowId(uid),
    taskQueue,
    args: [input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    staticSummary: `agreement on connection ${connectionId}`,
    typedSearchAttributes: [
      { key: AGREEMENT_STATE, value: 'pending' },
      { key: AWAITING, value: 'provider-acceptance' },
      { key: AWAITING_SINCE, value: now },
      { key: CONNECTION_ID, value: connectionId },
      { key: AGREEMENT_UID, value: uid },
    ],
  });
}
