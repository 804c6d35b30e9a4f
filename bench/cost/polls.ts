// The cost of unsuccessful polls: a payer does not answer, and we poll the provider repeatedly.
import { anAgreement } from '../../cli/first-commands.js';
import { eventually } from '../../cli/api/waiting.js';
import { CONNECTION, type CostStack } from './stack.js';
import { settledCountersOf } from './counters.js';
import { become, workflowIdOf } from './life.js';
import type { Figure } from '../figures.js';

/** After the first look-up we poll at 15 s and a minute later. Two more are counted. */
const LOOK_UPS = 2;
const LIMIT_MS = 120_000;

export async function idlePolls(stack: CostStack): Promise<Figure[]> {
  const uid = 'cost-polls';
  await stack.provider.scriptPayer(uid, { simulate: 'ignore' });
  await stack.api.createAgreement(
    anAgreement({ uid, connection: CONNECTION, description: 'no payer answers' }),
    0,
  );
  await become(stack, uid, 'created');
  const made = await lookUpsOf(stack, uid);
  await eventually(
    () => lookUpsOf(stack, uid),
    (lookUps) => lookUps > made,
    { what: `the first look-up of ${uid}`, limitMs: LIMIT_MS },
  );
  const before = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  const requested = await lookUpsOf(stack, uid);
  await eventually(
    () => lookUpsOf(stack, uid),
    (lookUps) => lookUps >= requested + LOOK_UPS,
    { what: `${LOOK_UPS} more look-ups of ${uid}`, limitMs: LIMIT_MS },
  );
  const after = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  return [{ what: `${LOOK_UPS} polls without news: events`, met: after.events - before.events, limit: 0 }];
}

async function lookUpsOf({ provider }: CostStack, uid: string): Promise<number> {
  const ledger = await provider.ledger();
  return ledger.filter(
    (entry) => entry.kind === 'call' && entry.operation === 'get_agreement' && entry.resource_uid === uid,
  ).length;
}
