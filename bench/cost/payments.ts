// The cost of a payment over both its workflows: its own complete history, plus the events that it adds to its agreement.
// We count from the request until nothing is in progress; for a planned payment, from one wait for a planned date to the next. Both
// payments settle after some seconds, as real ones do, and a webhook reports the settlement before the next poll.
import { fastForward } from '../../cli/demo/skip-time.js';
import { eventually } from '../../cli/api/waiting.js';
import { addDays } from '../../domain/time/calendar.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { planUidBase } from '../../api/http/idempotency.js';
import { settledCountersOf, type Counters } from './counters.js';
import { active, workflowIdOf } from './life.js';
import type { CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const SETTLED_MS = 60_000;
const SETTLES_AFTER_SECONDS = 2;
const TWO_DAYS_SECONDS = 2 * 86_400;
const AMOUNT = 100;
const MOST_AGREEMENTS = 100;

export async function payments(stack: CostStack): Promise<Figure[]> {
  // Together with the other groups, this exceeds the provider's daily limit per payer.
  await stack.setLimit(MOST_AGREEMENTS);
  const settled = await oneSettled(stack, 'cost-payment');
  const planned = await onePlanned(stack, 'cost-plan');
  return [
    { what: 'one settled payment, both workflows: events', met: settled.events, limit: 40 },
    { what: 'one settled payment, both workflows: state transitions', met: settled.transitions, limit: 24 },
    { what: 'one planned payment, both workflows: events', met: planned.events, limit: 44 },
    { what: 'one planned payment, both workflows: state transitions', met: planned.transitions },
  ];
}

async function oneSettled(stack: CostStack, uid: string): Promise<Cost> {
  const payment = `${uid}-1`;
  await active(stack, uid);
  await stack.provider.delaySettlement(payment, SETTLES_AFTER_SECONDS);
  const before = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  await stack.post(`/v1/agreements/${uid}/payments`, { uid: payment, amount: AMOUNT });
  return costSince(stack, { uid, payment, before });
}

/** Counts the first of two dates. We skip the days before it; their events do not belong to the payment. */
async function onePlanned(stack: CostStack, uid: string): Promise<Cost> {
  await active(stack, uid);
  const days = [1, 40].map((ahead) => addDays(sydneyDayOf(new Date().toISOString()), ahead));
  const payment = `${planUidBase(uid)}.${days[0]?.replaceAll('-', '')}`;
  await stack.provider.delaySettlement(payment, SETTLES_AFTER_SECONDS);
  const dates = days.map((date) => ({ date, amount: AMOUNT }));
  await stack.put(`/v1/agreements/${uid}/plan`, { schedule: { dates } });
  const before = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  await fastForward(stack.temporalAddress, workflowIdOf(uid), TWO_DAYS_SECONDS);
  return costSince(stack, { uid, payment, before });
}

type Cost = Pick<Counters, 'events' | 'transitions'>;

async function costSince(
  stack: CostStack,
  { uid, payment, before }: { uid: string; payment: string; before: Counters },
): Promise<Cost> {
  await eventually(
    async () => (await stack.provider.state()).payments.find((one) => one.uid === payment)?.state,
    (state) => state === 'settled',
    { what: `payment ${payment} to settle`, limitMs: SETTLED_MS },
  );
  const own = await settledCountersOf(stack.temporal, `payment/${payment}`);
  const after = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  return {
    events: own.events + after.events - before.events,
    transitions: own.transitions + after.transitions - before.transitions,
  };
}
