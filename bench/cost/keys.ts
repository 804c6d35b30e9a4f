// The cost of the key of a request that contains a uid: nothing in Temporal while the records answer.
import { anAgreement } from '../../cli/first-commands.js';
import { settledCountersOf } from './counters.js';
import { active, become, workflowIdOf } from './life.js';
import { CONNECTION, type CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const [KEYED, WITHOUT] = ['cost-key', 'cost-without-key'] as const;

export async function keyBesideAUid(stack: CostStack): Promise<Figure[]> {
  const { provider, temporal } = stack;
  await provider.scriptPayer(KEYED, { simulate: 'debtor_accept' });
  await stack.post(
    '/v1/agreements',
    anAgreement({ uid: KEYED, connection: CONNECTION, description: 'with a key' }),
  );
  await become(stack, KEYED, 'active');
  await active(stack, WITHOUT);
  const keyed = await settledCountersOf(temporal, workflowIdOf(KEYED));
  const without = await settledCountersOf(temporal, workflowIdOf(WITHOUT));
  const { count } = await temporal.workflow.count("WorkflowType = 'key'");
  return [
    {
      what: 'an Idempotency-Key beside a uid: additional events',
      met: keyed.events - without.events,
      limit: 0,
    },
    { what: 'an Idempotency-Key beside a uid: additional runs', met: count, limit: 0 },
  ];
}
