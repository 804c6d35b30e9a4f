import { expect, test } from 'vitest';
import { boundedClient, createApi, dataOf } from '../../cli/api/client.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { createProvider } from '../../cli/demo/provider.js';
import { anOnboarding } from '../../cli/first-commands.js';
import { isLeftOut, launchBrowser } from '../support/browser/launch.js';
import { signIn, startStack } from '../support/browser/stack.js';
import { eventually } from '../support/temporal.js';
import type { Stack } from '../../cli/stack/bring-up.js';

const ALL_MS = 180_000;
const ID = 'onb-ui';
const { client: _, ...ASKED } = anOnboarding(ID, 'demo');

async function onboardingAtPayer({ apiUrl, apiKey, sandboxUrl = '' }: Stack): Promise<string> {
  const { signal } = new AbortController();
  await ensureConsent(createApi(apiUrl, apiKey, signal), 'demo');
  await createProvider(sandboxUrl, signal).scriptPayer(`${ID}-agreement`, { simulate: 'ignore' });
  const client = boundedClient(apiUrl, apiKey, signal);
  const params = { path: { id: ID }, query: {} };
  await dataOf(client.POST('/v1/onboardings', { body: ASKED, params: { query: {} } }));
  const { links } = await eventually(
    () => dataOf(client.GET('/v1/onboardings/{id}', { params })),
    ({ awaiting }) => awaiting.what === 'payer-decision',
  );
  return links.temporal_ui ?? '';
}

test.skipIf(isLeftOut)(
  'Temporal UI shows the step, next action and parts of an onboarding without payer data',
  async () => {
    const stack = await startStack();
    const shown = await onboardingAtPayer(stack);
    const page = await (await launchBrowser()).newPage({ viewport: { width: 1400, height: 1000 } });
    await page.goto(stack.signInUrl);
    await signIn(page, stack);
    await page.goto(shown);
    await page.getByTestId('user-metadata-tab').click();
    const body = page.frameLocator('#user-metadata-current-details').locator('body');
    await body.getByText(`Onboarding ${ID} is under way`).waitFor();
    const details = await body.innerText();
    expect(details).toContain('the payer has accepted – under way');
    expect(details).toContain('Next: The payer accepts or declines');
    for (const part of [`counterparty/${ID}-counterparty`, `agreement/${ID}-agreement`])
      expect(details).toContain(part);
    const whole = `${details} ${await page.content()}`;
    for (const personal of ['A Payer', '12340001']) expect(whole).not.toContain(personal);
  },
  ALL_MS,
);
