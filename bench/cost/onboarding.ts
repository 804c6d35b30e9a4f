// A whole onboarding, from a new business to the first settled payment, over all its workflows.
import { anOnboarding } from '../../cli/first-commands.js';
import { boundedClient, dataOf } from '../../cli/api/client.js';
import { eventually } from '../../cli/api/waiting.js';
import { settledCountersOf } from './counters.js';
import { CONNECTION } from './stack.js';
import type { CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const ID = 'cost-onboarding';
const SOON_MS = 60_000;

export async function wholeOnboarding(stack: CostStack): Promise<Figure[]> {
  const client = boundedClient(stack.apiUrl, stack.apiKey, new AbortController().signal);
  const read = () =>
    dataOf(client.GET('/v1/onboardings/{id}', { params: { path: { id: ID }, query: {} } }));
  const until = (step: string) =>
    eventually(read, ({ state, steps }) => state === step || steps.some((one) => one.step === step && one.state === 'under_way'), {
      what: `onboarding ${ID} to be at ${step}`,
      limitMs: SOON_MS,
    });
  await stack.provider.scriptPayer(`${ID}-agreement`, { simulate: 'debtor_accept', delay: 2 });
  await stack.post('/v1/onboardings', anOnboarding(ID, CONNECTION));
  const { client_id: clientId } = await until('client_service');
  await stack.provider.activateClient(clientId ?? '');
  const { steps } = await until('done');
  const parts = new Set(steps.map(({ resource }) => resource?.link.replace('/v1/', '').replace('ies/', 'y/').replace('s/', '/')));
  const runs: Record<string, number> = {};
  for (const workflowId of [`onboarding/${ID}`, ...parts])
    runs[workflowId] = (await settledCountersOf(stack.temporal, workflowId)).events;
  console.log(runs);
  const events = Object.values(runs).reduce((sum, one) => sum + one, 0);
  return [{ what: 'a whole onboarding, over all its workflows: events', met: events, limit: 150 }];
}
