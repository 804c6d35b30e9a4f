import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../cli/api/client.js';
import { readForeignVariables } from '../../cli/config.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { createProcessGroup } from '../../cli/stack/process-group.js';
import { dataFolder } from '../../cli/stack/data-folder.js';
import { anAgreement, freshUid } from '../../cli/first-commands.js';
import { newSecrets } from '../../cli/stack/secrets.js';
import { bringUp } from '../../cli/stack/bring-up.js';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { isLeftOut, launchBrowser } from '../support/browser/launch.js';
import type { BrowserContext, Page } from 'playwright-core';
import type { Stack } from '../../cli/stack/bring-up.js';
import { freePort } from '../../temporal-server/free-port.js';

const ALL_MS = 180_000;
const PAYER = 'Zebedee Payer';

async function start(): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-codec-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { temporal, sandbox } = dataFolder(folder);
  const group = createProcessGroup(() => undefined, { isTerse: true });
  onTestFinished(() => group.stop());
  const wiring = {
    root: findPackageRoot(),
    variables: readForeignVariables(),
    secrets: newSecrets(),
    ports: { api: await freePort(), metrics: 0 },
    temporal: { port: await freePort(), uiPort: await freePort(), dbFilename: temporal },
    sandbox: { port: await freePort(), dataFile: sandbox },
  };
  return bringUp(wiring, { group, print: () => undefined, onLine: () => undefined });
}

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
const sealed = (page: Page) => page.getByText('encryption-key-id').first();

test.skipIf(isLeftOut)(
  'a stranger sees ciphertext and where to sign in; an operator sees who pays, and nobody after signing out',
  async () => {
    const stack = await start();
    const shown = await anAgreementOf(PAYER, stack);
    const newContext = await openBrowser();
    const [operator, stranger] = [await (await newContext()).newPage(), await (await newContext()).newPage()];

    await operator.goto(shown);
    await sealed(operator).waitFor();
    expect(await operator.content()).not.toContain(PAYER);
    const way = operator.getByRole('link', { name: stack.signInUrl }).first();
    const [login] = await Promise.all([operator.context().waitForEvent('page'), way.click()]);
    await login.getByLabel('API key').fill(stack.apiKey);
    await login.getByRole('button', { name: 'Sign in' }).click();
    await login.getByText('Signed in with the key').waitFor();

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
