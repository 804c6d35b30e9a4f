// All workflows: the entry point of the worker's bundle.
export { agreement } from './agreement/workflow.js';
export { audit } from './audit/workflow.js';
export { batch } from './batch/workflow.js';
export { batchChunk as 'batch-chunk' } from './batch-chunk/workflow.js';
export { client } from './client/workflow.js';
export { connection } from './connection/workflow.js';
export { counterparty } from './counterparty/workflow.js';
export { floatAccount as 'float-account' } from './float-account/workflow.js';
export { key } from './key/workflow.js';
export { notification } from './notification/workflow.js';
export { onboarding } from './onboarding/workflow.js';
export { payment } from './payment/workflow.js';
export { refund } from './refund/workflow.js';
export { registration } from './registration/workflow.js';
export { settlement } from './settlement/workflow.js';
export { stop } from './stop/workflow.js';
export { sweep } from './sweep/workflow.js';
export { unmatchedCredit as 'unmatched-credit' } from './unmatched-credit/workflow.js';
