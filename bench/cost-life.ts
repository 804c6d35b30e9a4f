// The canonical life: started, created, activated, suspended and resumed by its payer, cancelled by a command.
import { anAgreement } from '../cli/first-commands.js';
import { eventually } from '../cli/eventually.js';
import { CONNECTION } from './cost-stack.js';
import { settledCountersOf } from './cost-counters.js';
import type { CostStack } from './cost-stack.js';
import type { Figure } from './cost-figures.js';

const SOON_MS = 20_000;

export const workflowIdOf = (uid: string): string => `agreement/${uid}`;

export const become = (stack: CostStack, uid: string, state: string): Promise<unknown> =>
  eventually(
    () => stack.api.getAgreement(uid),
    (met) => met.state === state,
    { what: `agreement ${uid} to be ${state}`, limitMs: SOON_MS },
  );

export async function active(stack: CostStack, uid: string): Promise<void> {
  await stack.provider.scriptPayer(uid, { simulate: 'debtor_accept' });
  await stack.api.createAgreement(
    anAgreement({ uid, connection: CONNECTION, description: 'the canonical life' }),
    0,
  );
  await become(stack, uid, 'active');
}

export async function canonicalLife(stack: CostStack): Promise<Figure[]> {
  const uid = 'cost-life';
  const workflowId = workflowIdOf(uid);
  await active(stack, uid);
  const idle = await settledCountersOf(stack.temporal, workflowId);
  // What the provider tells once all is over begins a run of its own, which is not the life.
  const { runId } = await stack.temporal.workflow.getHandle(workflowId).describe();
  for (const [action, state] of TURNS) {
    await stack.provider.actAsPayer(uid, action);
    await become(stack, uid, state);
  }
  await stack.post(`/v1/agreements/${uid}/cancellation`, {
    reason: 'customer_requested',
    narrative: 'the plan is over',
  });
  await become(stack, uid, 'cancelled');
  const whole = await settledCountersOf(stack.temporal, workflowId, runId);
  return [
    { what: 'canonical life: events', met: whole.events, limit: 62 },
    { what: 'canonical life: state transitions', met: whole.transitions, limit: 36 },
    { what: 'canonical life: bytes of history when active and idle', met: idle.bytes, limit: 12_000 },
  ];
}
const TURNS = [
  ['suspend', 'suspended'],
  ['reactivate', 'active'],
] as const;
