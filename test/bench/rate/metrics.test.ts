import { expect, test } from 'vitest';
import { actionsIn } from '../../../bench/rate/metrics.js';

const METRICS = `# HELP action action counter
# TYPE action counter
action{action_type="grpc_StartWorkflowExecution",namespace="product",operation="StartWorkflowExecution"} 2
action{action_type="command_UpsertWorkflowSearchAttributes",namespace="product"} 1.5e+01
action{action_type="grpc_StartWorkflowExecution",namespace="product-2"} 100
action_latency{namespace="product"} 7`;

test('actions of all types count, but not those of other namespaces', () => {
  expect(actionsIn(METRICS, 'product')).toBe(17);
});
