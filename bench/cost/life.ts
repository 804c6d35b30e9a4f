// The standard life of an agreement: started, created, activated, suspended, resumed, cancelled. Counted twice. First the payer
// suspends and resumes, with limits. Then we command all three, and each command adds an update, a call and a watch.
import { anAgreement } from '../../cli/first-commands.js';
import { eventually } from '../../cli/api/waiting.js';
import { CONNECTION, type CostStack } from './stack.js';
import { settledCountersOf, type Counters } from './counters.js';
import type { Figure } from '../figures.js';

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

type Change = (stack: CostStack, uid: string) => Promise<void>;
/** Each change with its resulting state. */
type Life = readonly [Change, string][];

const byPayer =
  (action: 'suspend' | 'reactivate'): Change =>
  (stack, uid) =>
    stack.provider.actAsPayer(uid, action);

const byCommand =
  (command: string, body: object): Change =>
  (stack, uid) =>
    stack.post(`/v1/agreements/${uid}/${command}`, body);

const WHY = { reason: 'customer_requested', narrative: 'as the customer asked' };
const CANCELLED: [Change, string] = [byCommand('cancellation', WHY), 'cancelled'];
const BY_PAYER: Life = [[byPayer('suspend'), 'suspended'], [byPayer('reactivate'), 'active'], CANCELLED];
const BY_COMMAND: Life = [
  [byCommand('suspension', WHY), 'suspended'],
  [byCommand('reactivation', {}), 'active'],
  CANCELLED,
];

export async function canonicalLife(stack: CostStack): Promise<Figure[]> {
  const life = await lived(stack, 'cost-life', BY_PAYER);
  const commanded = await lived(stack, 'cost-life-by-command', BY_COMMAND);
  return [
    { what: 'canonical life: events', met: life.events, limit: 46 },
    { what: 'canonical life: state transitions', met: life.transitions, limit: 25 },
    { what: 'canonical life: bytes of history when active and idle', met: life.idleBytes, limit: 7000 },
    { what: 'canonical life, all by command: events', met: commanded.events },
    { what: 'canonical life, all by command: state transitions', met: commanded.transitions },
    { what: 'canonical life, all by command: bytes of history at the end', met: commanded.bytes },
  ];
}

/** The total cost, and the size of its history before the first change. */
async function lived(
  stack: CostStack,
  uid: string,
  changes: Life,
): Promise<Counters & { idleBytes: number }> {
  const workflowId = workflowIdOf(uid);
  await active(stack, uid);
  const idle = await settledCountersOf(stack.temporal, workflowId);
  // Events after the end start a new run, which does not belong to this life.
  const { runId } = await stack.temporal.workflow.getHandle(workflowId).describe();
  for (const [change, state] of changes) {
    await change(stack, uid);
    await become(stack, uid, state);
    // Wait until a change has taken full effect. Otherwise the next one might randomly share its work.
    await settledCountersOf(stack.temporal, workflowId, runId);
  }
  return { ...(await settledCountersOf(stack.temporal, workflowId, runId)), idleBytes: idle.bytes };
}
