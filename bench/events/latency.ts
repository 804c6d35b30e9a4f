// From the provider's webhook to ours: both leave and arrive on this machine.
import { eventually } from '../../cli/api/waiting.js';
import { active } from '../cost/life.js';
import { percentile, type Figure } from '../figures.js';
import type { CostStack } from '../cost/stack.js';
import type { Receiver } from './receiver.js';

const AGREEMENTS = 20;
const TURNS = [
  ['suspend', 'suspended'],
  ['reactivate', 'reactivated'],
  ['suspend', 'suspended'],
  ['reactivate', 'reactivated'],
] as const;
const SOON_MS = 30_000;

/** Payers suspend and reactivate, all agreements of a turn at once. */
export async function latency(stack: CostStack, receiver: Receiver): Promise<Figure[]> {
  // Another part has made one for the same payer.
  await stack.setLimit(AGREEMENTS + 1);
  const uids = Array.from({ length: AGREEMENTS }, (_, index) => `bench-latency-${index}`);
  for (const uid of uids) await active(stack, uid);
  const times: number[] = [];
  for (const [action, event] of TURNS)
    times.push(...(await Promise.all(uids.map((uid) => turn(uid, action, event)))));
  return [
    {
      what: `webhook of the provider to ours, ${times.length} events: ms, median`,
      met: percentile(times, 50),
    },
    { what: `webhook of the provider to ours, ${times.length} events: ms, p99`, met: percentile(times, 99) },
  ];

  async function turn(uid: string, action: 'suspend' | 'reactivate', event: string): Promise<number> {
    const type = `agreement.${event}`;
    receiver.forget(type, uid);
    await stack.provider.actAsPayer(uid, action);
    const arrivedAt = await eventually(
      () => Promise.resolve(receiver.arrivedAt(type, uid)),
      (at) => at !== undefined,
      { what: `${type} of ${uid}`, limitMs: SOON_MS },
    );
    return (arrivedAt ?? Infinity) - stack.receivedAt(uid, event);
  }
}
