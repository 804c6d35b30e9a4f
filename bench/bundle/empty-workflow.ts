// The smallest workflow: it waits forever. The bench compares ours with it.
import { condition } from '@temporalio/workflow';

export async function empty(): Promise<void> {
  await condition(() => false);
}
