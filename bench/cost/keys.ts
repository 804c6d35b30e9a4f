// The cost of storing the key of a request that contains a uid: one additional run.
import { anAgreement } from '../../cli/first-commands.js';
import { eventually } from '../../cli/api/waiting.js';
import { settledCountersOf } from './counters.js';
import { become } from './life.js';
import { CONNECTION } from './stack.js';
import type { CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const UID = 'cost-key';
const LISTED_MS = 20_000;

export async function keyBesideAUid(stack: CostStack): Promise<Figure[]> {
  await stack.provider.scriptPayer(UID, { simulate: 'debtor_accept' });
  const body = anAgreement({ uid: UID, connection: CONNECTION, description: 'with a key' });
  await stack.post('/v1/agreements', body);
  await become(stack, UID, 'active');
  const workflowId = await eventually(
    async () => {
      const runs = stack.temporal.workflow.list({ query: "WorkflowType = 'key'" });
      for await (const run of runs) return run.workflowId;
      return undefined;
    },
    (listed) => listed !== undefined,
    { what: 'the run of the key', limitMs: LISTED_MS },
  );
  const { events } = await settledCountersOf(stack.temporal, workflowId ?? '');
  return [{ what: 'an Idempotency-Key beside a uid: events', met: events, limit: 5 }];
}
