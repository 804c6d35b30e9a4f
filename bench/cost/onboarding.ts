// A whole onboarding over all its workflows, from a new business to the first settled payment.
import { anOnboarding } from '../../cli/first-commands.js';
import { boundedClient, dataOf } from '../../cli/api/client.js';
import { eventually } from '../../cli/api/waiting.js';
import { settledCountersOf } from './counters.js';
import { CONNECTION, type CostStack } from './stack.js';
import type { Figure } from '../figures.js';

const ID = 'cost-onboarding';
const SOON_MS = 60_000;
/** Like a real provider, whose webhook arrives before our poll. */
const SETTLES_AFTER_S = 2;

export async function wholeOnboarding(stack: CostStack): Promise<Figure[]> {
  const request = anOnboarding(ID, CONNECTION);
  const client = boundedClient(stack.apiUrl, stack.apiKey, new AbortController().signal);
  await stack.provider.scriptPayer(`${ID}-agreement`, { simulate: 'debtor_accept', delay: 2 });
  await stack.provider.delaySettlement(`${ID}-payment`, SETTLES_AFTER_S);
  await stack.post('/v1/onboardings', request);
  const clientId = await eventually(
    async () => {
      const { data } = await client.GET('/v1/clients/{uid}', { params: { path: { uid: `${ID}-client` } } });
      return data?.data.client_id;
    },
    (found) => typeof found === 'string',
    { what: 'the client to be registered', limitMs: SOON_MS },
  );
  await stack.provider.activateClient(clientId ?? '');
  await eventually(
    () => dataOf(client.GET('/v1/onboardings/{id}', { params: { path: { id: ID }, query: {} } })),
    ({ state }) => state === 'done',
    { what: `onboarding ${ID} to be done`, limitMs: SOON_MS },
  );
  const counted: [workflow: string, events: number][] = [];
  for (const workflowId of [
    `onboarding/${ID}`,
    `registration/${CONNECTION}/53004085616`,
    ...['counterparty', 'client', 'agreement', 'payment'].map((part) => `${part}/${ID}-${part}`),
  ])
    counted.push([workflowId, (await settledCountersOf(stack.temporal, workflowId)).events]);
  return [
    ...counted.map(([workflowId, met]) => ({ what: `${workflowId}: events`, met })),
    {
      what: 'a whole onboarding, over all its workflows: events',
      met: counted.reduce((sum, [, events]) => sum + events, 0),
      limit: 145,
    },
  ];
}
