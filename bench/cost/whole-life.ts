// The whole life of one agreement with one payment, driven by webhooks only: the sealed histories of both workflows.
// `--histories` prints each event with the size of its payloads.
import { eventually } from '../../cli/api/waiting.js';
import { settledCountersOf } from './counters.js';
import { active, become, workflowIdOf } from './life.js';
import { readHistory } from './history.js';
import type { CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const LIVES = 4;
const MOST_AGREEMENTS = 100;
const SETTLED_MS = 60_000;
/** For every second life; the others settle immediately. */
const SETTLES_AFTER_SECONDS = 2;
const BY_PAYER = [
  ['suspend', 'suspended'],
  ['reactivate', 'active'],
  ['cancel', 'cancelled'],
] as const;

/** Returns the maximum of several lives, so that costs of rare event orders are not hidden. */
export async function wholeLife(stack: CostStack): Promise<Figure[]> {
  // Together with the other groups, this exceeds the provider's daily limit per payer.
  await stack.setLimit(MOST_AGREEMENTS);
  const lives: Life[] = [];
  for (let life = 0; life < LIVES; life += 1) lives.push(await lived(stack, life));
  const most = (of: keyof Life): number => Math.max(...lives.map((life) => life[of]));
  const what = 'an agreement with one payment, whole life, both workflows';
  return [
    { what: `${what}: events`, met: most('events'), limit: 69 },
    { what: `${what}: state transitions`, met: most('transitions'), limit: 40 },
    // One for each state that an operator finds in Temporal's lists.
    { what: `${what}: upserts`, met: most('upserts'), limit: 5 },
    // Each sealed payload contains the id of its workflow, so that the audit log can state what an operator has decoded. Each run carries how
    // many events it had, so that a repeated task makes the same ids (docs/decisions/0038-events-out.md).
    { what: `${what}: bytes of payloads`, met: most('bytes'), limit: 15_000 },
    { what: `${what}: failed workflow tasks`, met: most('failedTasks'), limit: 0 },
    { what: `${what}: recorded changes`, met: most('changes') },
  ];
}

interface Life {
  events: number;
  transitions: number;
  bytes: number;
  failedTasks: number;
  upserts: number;
  /** Entries in the records, without copies of rows. */
  changes: number;
}

async function lived(stack: CostStack, life: number): Promise<Life> {
  const uid = `cost-whole-${life}`;
  const payment = `${uid}-payment`;
  await active(stack, uid);
  await settledCountersOf(stack.temporal, workflowIdOf(uid));
  if (life % 2 === 1) await stack.provider.delaySettlement(payment, SETTLES_AFTER_SECONDS);
  await stack.post(`/v1/agreements/${uid}/payments`, { uid: payment, amount: 100 });
  await eventually(
    async () => (await stack.provider.state()).payments.find((one) => one.uid === payment)?.state,
    (state) => state === 'settled',
    { what: `payment ${payment} to settle`, limitMs: SETTLED_MS },
  );
  await settledCountersOf(stack.temporal, `payment/${payment}`);
  for (const [action, state] of BY_PAYER) {
    await stack.provider.actAsPayer(uid, action);
    await become(stack, uid, state);
    await settledCountersOf(stack.temporal, workflowIdOf(uid));
  }
  const total: Life = { events: 0, transitions: 0, bytes: 0, failedTasks: 0, upserts: 0, changes: 0 };
  for (const workflowId of [workflowIdOf(uid), `payment/${payment}`])
    for await (const { runId } of stack.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      const { events, transitions } = await settledCountersOf(stack.temporal, workflowId, runId);
      const { bytes, failedTasks, upserts } = await readHistory(stack.temporal, workflowId, runId);
      total.events += events;
      total.transitions += transitions;
      total.bytes += bytes;
      total.failedTasks += failedTasks;
      total.upserts += upserts;
    }
  total.changes = await stack.recordedChanges([workflowIdOf(uid), `payment/${payment}`]);
  return total;
}
