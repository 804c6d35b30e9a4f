// The cost of repeats of one webhook: at a process that has already delivered it, and at one that has not.
import { settledCountersOf } from './counters.js';
import { active, workflowIdOf } from './life.js';
import type { CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const REPEATS = 50;
const EVENT = 'payto_agreement.activated';

export async function repeats(stack: CostStack): Promise<Figure[]> {
  const uid = 'cost-repeats';
  await active(stack, uid);
  const events = await eventsOf(stack, uid, () => repeat(stack, uid, stack.apiUrl));
  // Each process remembers delivered webhooks, so every repeat goes to a fresh one.
  const fresh: number[] = [];
  for (let process = 0; process < FRESH_PROCESSES; process += 1) {
    const url = await stack.anotherApi();
    fresh.push(await eventsOf(stack, uid, () => repeatOnce(stack, uid, url)));
  }
  return [
    { what: `${REPEATS} repeats at a process that has seen the webhook: events`, met: events, limit: 0 },
    { what: 'one repeat at a process that has not: events', met: Math.max(...fresh), limit: 4 },
  ];
}
const FRESH_PROCESSES = 2;

async function eventsOf(stack: CostStack, uid: string, work: () => Promise<void>): Promise<number> {
  const before = await settledCountersOf(stack.temporal, workflowIdOf(uid));
  await work();
  return (await settledCountersOf(stack.temporal, workflowIdOf(uid))).events - before.events;
}

async function repeat(stack: CostStack, uid: string, url: string): Promise<void> {
  for (let time = 0; time < REPEATS; time += 1) await repeatOnce(stack, uid, url);
}

async function repeatOnce(stack: CostStack, uid: string, url: string): Promise<void> {
  const status = await stack.repeat(uid, EVENT, url);
  if (status !== 200) throw new Error(`expected 200 for a repeat; received ${status}`);
}
