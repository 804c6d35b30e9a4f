// All workflows: the entry point of the worker's bundle.
import { messages as agreementMessages } from './agreement/contract.js';
import { AGREEMENT } from './agreement/definition.js';
import { messages as clientMessages } from './client/contract.js';
import { CLIENT } from './client/definition.js';
import { messages as counterpartyMessages } from './counterparty/contract.js';
import { COUNTERPARTY } from './counterparty/definition.js';
import { messages as paymentMessages } from './payment/contract.js';
import { PAYMENT } from './payment/definition.js';
import { messages as refundMessages } from './refund/contract.js';
import { REFUND } from './refund/definition.js';
import { resourceWorkflow } from './resource/workflow.js';
import type { ProviderResource } from '../domain/resources.js';

// For each promise of a workflow, the SDK captures a stack and looks up its lines in the source map: about a sixth of the worker's CPU, and memory in each
// cached run. The line that has thrown an error is enough to find a fault (docs/decisions/0044-cost-of-a-life.md).
Error.stackTraceLimit = 1;

export { approval } from './approval/workflow.js';
export { audit } from './audit/workflow.js';
export { batch } from './batch/workflow.js';
export { batchChunk as 'batch-chunk' } from './batch-chunk/workflow.js';
export { connection } from './connection/workflow.js';
export { floatAccount as 'float-account' } from './float-account/workflow.js';
export { key } from './key/workflow.js';
export { notification } from './notification/workflow.js';
export { onboarding } from './onboarding/workflow.js';
export { registration } from './registration/workflow.js';
export { settlement } from './settlement/workflow.js';
export { stop } from './stop/workflow.js';
export { sweep } from './sweep/workflow.js';
export { unmatchedCredit as 'unmatched-credit' } from './unmatched-credit/workflow.js';
export { webhookEndpoint as 'webhook-endpoint' } from './webhook-endpoint/workflow.js';

/** Without an entry for each resource of the provider, its events would start a workflow that no worker has. */
export const { agreement, client, counterparty, payment, refund } = {
  agreement: resourceWorkflow(AGREEMENT, agreementMessages),
  client: resourceWorkflow(CLIENT, clientMessages),
  counterparty: resourceWorkflow(COUNTERPARTY, counterpartyMessages),
  payment: resourceWorkflow(PAYMENT, paymentMessages),
  refund: resourceWorkflow(REFUND, refundMessages),
} satisfies Record<ProviderResource, unknown>;
