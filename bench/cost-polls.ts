// What it costs to ask in vain: a payer who does not answer, and the provider asked again and again.
import { anAgreement } from '../cli/first-commands.js';
import { eventually } from '../cli/eventually.js';
import { CONNECTION } from './cost-stack.js';
import { settledCountersOf } from './cost-counters.js';
import { become, workflowIdOf } from './cost-life.js';
import type { CostStack } from './cost-stack.js';
import type { Figure } from './cost-figures.js';

/** After the first request the ladder asks at 15 s and a minute later; two more requests are counted. */
const REQUESTS = 2;
const LIMIT_MS = 120_000;

export async function idlePolls(stack: CostStack): Promise<Figure[]> {
  const uid = 'cost-polls';
  await stack.provider.scriptPayer(uid, { simulate: 'ignore' });
  await stack.api.createAgreement(
    anAgreement({ uid, connection: CONNECTION, description: 'nobody answers' }),
    0,
  );
  await become(stack, uid, 'created');
  const before = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  const asked = await requestsOf(stack, uid);
  await eventually(
    () => requestsOf(stack, uid),
    (requests) => requests >= asked + REQUESTS,
    { what: `${REQUESTS} more requests for ${uid}`, limitMs: LIMIT_MS },
  );
  const after = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  return [{ what: `${REQUESTS} polls in vain: events`, met: after.events - before.events, limit: 0 }];
}

async function requestsOf({ provider }: CostStack, uid: string): Promise<number> {
  const ledger = await provider.ledger();
  return ledger.filter(
    (entry) => entry.kind === 'call' && entry.operation === 'get_agreement' && entry.resource_uid === uid,
  ).length;
}
