// The plot of `npm run demo -- onboarding`: one request with a client, its counterparty, their agreement and the first payment.
// It shows each step as it happens, and compares the provider's ledger with the request.
import { boundedClient, createApi, dataOf } from '../api/client.js';
import { ensureConsent } from '../api/consent.js';
import { anOnboarding } from '../first-commands.js';
import { eventually } from '../api/waiting.js';
import { ApiProblem, type InitiatingClient, type Onboarding } from '../../client/create.js';
import { memoryDifferences, memoryInWords, memoryOf } from './memory.js';
import { createProvider, type Provider } from './provider.js';
import { endOf, type Report } from './report.js';
import { CONNECTION, Difference, differs, type LogStep } from './scene.js';
import type { Stack } from '../stack/bring-up.js';

type Step = Onboarding['steps'][number];

const ID = 'demo-onboarding';
const CLIENT = `${ID}-client`;
const AGREEMENT = `${ID}-agreement`;
/** No event reports the status of a client's service, so we poll it at growing intervals. */
const LIMIT_MS = 120_000;

/** @throws Difference, or another error that ended the plot early. */
export async function performOnboarding(
  stack: Stack,
  logStep: LogStep,
  signal: AbortSignal,
): Promise<Report> {
  const client = boundedClient(stack.apiUrl, stack.apiKey, signal);
  const provider = createProvider(stack.sandboxUrl ?? '', signal);
  await ensureConsent(createApi(stack.apiUrl, stack.apiKey, signal), CONNECTION);
  await provider.scriptPayer(AGREEMENT, { simulate: 'ignore' });
  const requested = await dataOf(
    client.POST('/v1/onboardings', { body: anOnboarding(ID, CONNECTION), params: { query: {} } }),
  );
  logStep(`onboarding ${ID}`, 'requested, with all its parts', requested.links.temporal_ui);
  const read = (): Promise<Onboarding> =>
    dataOf(client.GET('/v1/onboardings/{id}', { params: { path: { id: ID }, query: {} } }));
  // The onboarding shows the step just before its client exists.
  const readClient = () =>
    dataOf(client.GET('/v1/clients/{uid}', { params: { path: { uid: CLIENT } } })).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.status === 404) return undefined;
      throw error;
    });
  const end = await followed(read, logStep, otherSides(provider, logStep, readClient));
  const differences = await differencesAt(provider, end);
  const memory = await memoryOf(stack);
  return reportOf(end, [...differences, ...memoryDifferences(memory)], memoryInWords(memory));
}

/** The actions of the provider and the payer, each when the onboarding waits for it. */
const otherSides = (
  provider: Provider,
  logStep: LogStep,
  readClient: () => Promise<InitiatingClient | undefined>,
): Partial<Record<Step['step'], () => Promise<void>>> => ({
  client: async () => {
    const registered = await eventually(readClient, (read) => typeof read?.client_id === 'string', {
      what: `client ${CLIENT} to be registered`,
      limitMs: LIMIT_MS,
    });
    await provider.activateClient(registered?.client_id ?? '');
    logStep('provider', 'checked the client and activates its PayTo service');
  },
  payer_decision: async () => {
    await provider.actAsPayer(AGREEMENT, 'accept');
    logStep('payer', 'accepts in their banking app');
  },
});

/** Shows each step when it is done, and triggers the actions of the other sides. */
async function followed(
  read: () => Promise<Onboarding>,
  logStep: LogStep,
  acts: ReturnType<typeof otherSides>,
): Promise<Onboarding> {
  const printed = new Set<string>();
  const hasActed = new Set<string>();
  const fetched = async (): Promise<Onboarding> => {
    const onboarding = await read();
    for (const { step, state, resource } of onboarding.steps) {
      if (state === 'done' && !printed.has(step))
        logStep(step, `${resource?.uid ?? ''} is ${resource?.state ?? ''}`);
      if (state === 'done') printed.add(step);
      if (state !== 'under_way' || hasActed.has(step)) continue;
      hasActed.add(step);
      await acts[step]?.();
    }
    return onboarding;
  };
  const end = await eventually(fetched, ({ state }) => state !== 'under_way', {
    what: `onboarding ${ID} to be done`,
    limitMs: LIMIT_MS,
  });
  if (end.state === 'done') return end;
  throw new Difference(
    `onboarding ${ID}`,
    'done',
    end.attention[0]?.detail ?? end.state,
    end.links.temporal_ui,
  );
}

/** Each resource exists once, and the payment has settled. */
async function differencesAt(provider: Provider, { client_id }: Onboarding): Promise<string[]> {
  const { clients, counterparties, agreements, payments } = await provider.state();
  const met: Readonly<Record<string, number>> = {
    'clients with this id': clients.filter(({ id }) => id === client_id).length,
    counterparties: counterparties.length,
    'active agreements': agreements.filter(({ state }) => state === 'active').length,
    agreements: agreements.length,
    'settled payments': payments.filter(({ state }) => state === 'settled').length,
    payments: payments.length,
  };
  return Object.entries(met).flatMap(([what, count]) => differs(`${what} at the provider`, 1, count));
}

const reportOf = ({ steps }: Onboarding, differences: string[], memory: string): Report => ({
  json: {
    ok: differences.length === 0,
    differences,
    steps: steps.map(({ step, state, resource }) => ({ step, state, resource: resource?.state })),
  },
  text: [
    ...steps.map(({ step, state, resource }) => `${step.padEnd(16)} ${state}, ${resource?.state ?? ''}`),
    memory,
    ...endOf(
      differences,
      'One request registered a client, obtained its agreement, and collected its first payment.',
      'The provider has each resource exactly once.',
    ),
  ].join('\n'),
});
