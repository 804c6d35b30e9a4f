// Finds the connection of a resource, for keys that are bound to connections.
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { batchWorkflowId } from '../../workflows/batch/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { counterpartyWorkflowId } from '../../workflows/counterparty/contract.js';
import { floatAccountWorkflowId } from '../../workflows/float-account/contract.js';
import { onboardingWorkflowId } from '../../workflows/onboarding/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { refundWorkflowId } from '../../workflows/refund/contract.js';
import { unmatchedCreditWorkflowId } from '../../workflows/unmatched-credit/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { Calls } from './temporal/calls.js';

const WORKFLOW_ID_OF = {
  agreement: agreementWorkflowId,
  payment: paymentWorkflowId,
  refund: refundWorkflowId,
  client: clientWorkflowId,
  onboarding: onboardingWorkflowId,
  counterparty: counterpartyWorkflowId,
  batch: batchWorkflowId,
  'float-account': floatAccountWorkflowId,
  'unmatched-credit': unmatchedCreditWorkflowId,
};
export type BoundResource = keyof typeof WORKFLOW_ID_OF;

/** Reads the row. Without one, or while the records are away, the search attribute of the workflow. */
export const connectionOf =
  ({ recorded, describe }: Pick<Calls, 'recorded' | 'describe'>) =>
  async (resource: BoundResource, uid: string): Promise<string | undefined> => {
    const inRecords = await recorded
      .ask(({ connectionOf: find }) => find(resource, uid))
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'records_unavailable') return undefined;
        throw error;
      });
    return inRecords ?? (await describe(WORKFLOW_ID_OF[resource](uid)))?.connectionId;
  };
