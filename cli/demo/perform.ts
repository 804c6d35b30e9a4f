// The demo's plot: consent, three agreements in parallel, five days at the provider, then a comparison of ledger and workflows.
import { createApi } from '../api/client.js';
import { ensureConsent } from '../api/consent.js';
import type { Stack } from '../stack/bring-up.js';
import { audit } from './audit.js';
import { measureLatency } from './latency.js';
import { memoryOf } from './memory.js';
import { createProvider } from './provider.js';
import type { Findings } from './report.js';
import { CONNECTION, type Scene, type LogStep } from './scene.js';
import { accepted, expired, ignored, paidLater, unheard } from './scenarios.js';

/** @throws Difference, or another error that ended a scenario early. */
export async function perform(stack: Stack, logStep: LogStep, signal: AbortSignal): Promise<Findings> {
  const scene: Scene = {
    api: createApi(stack.apiUrl, stack.apiKey, signal),
    provider: createProvider(stack.sandboxUrl ?? '', signal),
    temporalAddress: stack.temporalAddress ?? '',
    logStep,
  };
  await ensureConsent(scene.api, CONNECTION);
  const { links } = await scene.api.getConnection(CONNECTION);
  logStep(`connection ${CONNECTION}`, 'the merchant consented → healthy', links.temporal_ui);

  const [first, second, third] = await Promise.all([
    accepted(scene, 'demo-1').then(async (scenario) => ({
      story: scenario,
      latency: await measureLatency(scene, scenario.uid),
    })),
    unheard(scene, 'demo-2'),
    ignored(scene, 'demo-3'),
  ]);
  const scenarios = [first.story, second, await expired(scene, third)];
  const later = await paidLater(scene, first.story.uid);
  return {
    scenarios,
    audit: await audit(scene, [...scenarios.flatMap(({ intents }) => intents), later], second.uid),
    latency: first.latency,
    memory: await memoryOf(stack),
    seconds: Math.round(performance.now() / 100) / 10,
  };
}
