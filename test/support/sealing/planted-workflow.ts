import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  executeChild,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  upsertMemo,
} from '@temporalio/workflow';

export interface PlantedActivities {
  echo(said: string): Promise<string>;
  echoLocally(said: string): Promise<string>;
  heartbeat(): Promise<void>;
  refuse(): Promise<void>;
}

export const deliver = defineSignal<[string]>('deliver');
export const ask = defineQuery<string, [string]>('ask');
export const command = defineUpdate<string, [string]>('command');

const { echo, heartbeat, refuse } = proxyActivities<PlantedActivities>({
  startToCloseTimeout: '1 minute',
  summary: 'PLANTED-activity-summary',
});
const { echoLocally } = proxyLocalActivities<PlantedActivities>({ startToCloseTimeout: '5 seconds' });

export async function planted(_said: string, run = 1): Promise<void> {
  const received: string[] = [];
  setHandler(deliver, (said) => void received.push(said));
  setHandler(ask, () => 'PLANTED-query-result');
  setHandler(command, () => 'PLANTED-update-result', {
    validator: (said: string) => {
      if (said.includes('refused')) throw new Error('PLANTED-update-refusal');
    },
  });
  if (run === 2) {
    const parts = { details: ['PLANTED-failure-detail'], cause: new Error('PLANTED-failure-cause') };
    throw ApplicationFailure.create({ message: 'PLANTED-workflow-failure', ...parts });
  }
  setCurrentDetails('PLANTED-current-details');
  upsertMemo({ upserted: 'PLANTED-upserted-memo' });
  await sleep('1 ms', { summary: 'PLANTED-timer-summary' });
  await echo('PLANTED-activity-argument');
  await echoLocally('PLANTED-local-argument');
  await heartbeat();
  await refuse().catch(() => undefined);
  await withChildren();
  await condition(() => received.length > 0);
  await continueAsNew<typeof planted>('PLANTED-continued-argument', 2);
}

async function withChildren(): Promise<void> {
  const memo = { of: 'PLANTED-child-memo' };
  const child = await startChild(plantedChild, { args: ['PLANTED-child-argument'], memo });
  await child.signal(deliver, 'PLANTED-outgoing-signal');
  await child.result();
  await executeChild(plantedChild, { args: ['fail'] }).catch(() => undefined);
}

export async function plantedChild(said: string): Promise<string> {
  const received: string[] = [];
  setHandler(deliver, (heard) => void received.push(heard));
  if (said === 'fail') throw ApplicationFailure.nonRetryable('PLANTED-child-failure');
  await condition(() => received.length > 0);
  return 'PLANTED-child-result';
}
