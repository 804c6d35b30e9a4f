// The least that a workflow can be: it waits for what never comes. What the bench measures ours against.
import { condition } from '@temporalio/workflow';

export async function empty(): Promise<void> {
  await condition(() => false);
}
