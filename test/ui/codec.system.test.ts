import { expect, test } from 'vitest';
import { createApi } from '../../cli/api/client.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { anAgreement, freshUid } from '../../cli/first-commands.js';
import { isLeftOut, launchBrowser } from '../support/browser/launch.js';
import { signIn, startStack } from '../support/browser/stack.js';
import type { BrowserContext, Page } from 'playwright-core';
import type { Stack } from '../../cli/stack/bring-up.js';

const ALL_MS = 180_000;
const PAYER = 'Zebedee Payer';

async function anAgreementOf(payer: string, { apiUrl, apiKey }: Stack): Promise<string> {
  const api = createApi(apiUrl, apiKey, new AbortController().signal);
  await ensureConsent(api, 'demo');
  const body = anAgreement({ uid: freshUid('agr'), connection: 'demo', description: 'Plan 77' });
  const named = { ...body, debtor: { ...body.debtor, party_name: payer } };
  const { links } = await api.createAgreement(named, 20);
  return links.temporal_ui ?? '';
}

async function openBrowser(): Promise<() => Promise<BrowserContext>> {
  const browser = await launchBrowser();
  return () =>
    browser.newContext({ locale: 'en-US', timezoneId: 'UTC', viewport: { width: 1400, height: 1000 } });
}

const input = (page: Page) => page.getByText(PAYER).first();
/** The UI shows the bytes of a payload that it cannot decode. */
const sealed = (page: Page) => page.getByText(/^"[\w+/]{200,}/).first();

test.skipIf(isLeftOut)(
  'Temporal UI shows the payer to a signed-in operator and ciphertext to everyone else',
  async () => {
    const stack = await startStack();
    const shown = await anAgreementOf(PAYER, stack);
    const newContext = await openBrowser();
    const [operator, stranger] = [await (await newContext()).newPage(), await (await newContext()).newPage()];

    await operator.goto(shown);
    await sealed(operator).waitFor();
    expect(await operator.content()).not.toContain(PAYER);
    const way = operator.getByRole('link', { name: stack.signInUrl }).first();
    const [login] = await Promise.all([operator.context().waitForEvent('page'), way.click()]);
    await signIn(login, stack);

    await operator.goto(shown);
    await input(operator).waitFor();
    await operator.getByTestId('user-metadata-tab').click();
    const words = operator.frameLocator('#user-metadata-current-details').locator('body');
    await words.getByText('is active').first().waitFor();

    await stranger.goto(shown);
    await sealed(stranger).waitFor();
    expect(await stranger.content()).not.toContain(PAYER);

    await login.goto(stack.signInUrl);
    await login.getByRole('button', { name: 'Sign out' }).click();
    await login.getByLabel('API key').waitFor();
    await operator.goto(shown);
    await sealed(operator).waitFor();
    expect(await operator.content()).not.toContain(PAYER);
  },
  ALL_MS,
);
