// The cost of a thousand simultaneous requests for one payment, as from a caller that repeats without waiting.
import { eventually } from '../../cli/api/waiting.js';
import { settledCountersOf } from './counters.js';
import { active, workflowIdOf } from './life.js';
import type { CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const REQUESTS = 1000;
const SETTLED_MS = 60_000;

export async function crowdOfTheSame(stack: CostStack): Promise<Figure[]> {
  const uid = 'cost-crowd';
  const payment = `${uid}-payment`;
  await active(stack, uid);
  const before = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  const statuses = await stack.crowd(REQUESTS, `/v1/agreements/${uid}/payments`, {
    uid: payment,
    amount: 100,
  });
  await eventually(
    () => paymentsOf(stack, uid),
    (payments) => payments.some(({ state }) => state === 'settled'),
    { what: `payment ${payment} to settle`, limitMs: SETTLED_MS },
  );
  const after = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  const payments = await paymentsOf(stack, uid);
  const taken = statuses.filter((status) => status === 202 || status === 200).length;
  if (taken === 0)
    throw new Error(`expected accepted requests; received ${[...new Set(statuses)].join(', ')}`);
  const what = `${REQUESTS} identical simultaneous requests`;
  return [
    { what: `${what}: payments`, met: payments.length, limit: 1 },
    { what: `${what}: events in the agreement's history`, met: after.events - before.events, limit: 40 },
    {
      what: `${what}: answers of 500 and above`,
      met: statuses.filter((status) => status >= 500).length,
      limit: 0,
    },
    { what: `${what}: not accepted, to be retried`, met: REQUESTS - taken },
  ];
}

const paymentsOf = async ({ provider }: CostStack, uid: string) =>
  (await provider.state()).payments.filter(({ agreement_uid: of }) => of === uid);
