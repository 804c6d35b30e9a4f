import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createApi } from '../../cli/api/client.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { aPayment, anAgreement, freshUid } from '../../cli/first-commands.js';
import { isLeftOut, launchBrowser } from '../support/browser/launch.js';
import { startStack } from '../support/browser/stack.js';
import type { Page } from 'playwright-core';
import type { Stack } from '../../cli/stack/bring-up.js';

const ALL_MS = 240_000;
const SERIOUS = ['serious', 'critical'];
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact))
    .map(({ id, nodes }) => `${page.url()}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function madeBySandbox({ apiUrl, apiKey }: Stack): Promise<{ agreement: string; payment: string }> {
  const api = createApi(apiUrl, apiKey, new AbortController().signal);
  await ensureConsent(api, 'demo');
  const [agreement, payment] = [freshUid('agr'), freshUid('pay')];
  const body = anAgreement({ uid: agreement, connection: 'demo', description: 'Plan 77' });
  await api.createAgreement(body, 20);
  await api.requestPayment(agreement, aPayment(payment), 20);
  return { agreement, payment };
}

/** A page that notes what its policy refused, and what the browser reported. */
async function aWatchedPage(): Promise<{ page: Page; faults: string[] }> {
  const browser = await launchBrowser();
  const page = await (await browser.newContext({ viewport: { width: 1600, height: 1000 } })).newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    // The sign-in form answers 401, which the browser reports.
    if (message.type() === 'error' && !message.text().includes('401')) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  return { page, faults };
}

async function signInByKeyboard(page: Page, { consoleUrl, apiKey }: Stack): Promise<void> {
  await page.goto(consoleUrl);
  // The field has the focus from the start, but a busy browser sets it late.
  await page.locator('input[name=key]:focus').waitFor();
  await page.keyboard.insertText(apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
}

/** Reloads until the text is there. */
async function eventuallyShows(page: Page, text: RegExp): Promise<void> {
  await expect
    .poll(async () => (await page.reload(), page.locator('main').innerText()), {
      timeout: 30_000,
      interval: 500,
    })
    .toMatch(text);
}

test.skipIf(isLeftOut)(
  'a person finds an agreement by keyboard, takes a payment, and suspends the agreement',
  async () => {
    const stack = await startStack();
    const { agreement, payment } = await madeBySandbox(stack);
    const { page, faults } = await aWatchedPage();
    await page.goto(stack.consoleUrl);
    expect(await seriousFaults(page)).toEqual([]);
    await signInByKeyboard(page, stack);

    const pages = [
      '',
      '/agreements',
      '/payments?state=settled',
      `/search?q=${agreement}`,
      `/agreements/${agreement}`,
    ];
    const more = [
      `/payments/${payment}`,
      `/payments/${payment}/commands/refund`,
      `/agreements/${agreement}/payments`,
      ...['/day', '/unmatched-credits', '/float-accounts'],
      ...['/connections', '/connections/demo', '/connections/demo/commands/revocation', '/new-connection'],
      ...['/stop', '/stop/commands/stop', '/events', '/webhook-endpoints'],
    ];
    for (const path of [...pages, ...more])
      for (const width of [375, 1600]) {
        await page.setViewportSize({ width, height: 1000 });
        expect((await page.goto(`${stack.consoleUrl}${path}`))?.status()).toBe(200);
        expect(await seriousFaults(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      }

    await page.goto(`${stack.consoleUrl}/search`);
    await page.getByLabel('Search', { exact: true }).focus();
    await page.keyboard.insertText(agreement);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: agreement }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Take a payment' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Amount in dollars').focus();
    await page.keyboard.insertText('42.50');
    await page.keyboard.press('Enter');
    await page.getByText('The agreement allows this payment now.').waitFor();
    await page.getByRole('button', { name: 'Take $42.50' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The payment was accepted.').waitFor();
    await eventuallyShows(page, /\$42\.50, settled on/);

    await page.goto(`${stack.consoleUrl}/agreements/${agreement}`);
    await page.getByRole('link', { name: 'Suspend' }).click();
    await page.getByText('The payer’s consent stays').waitFor();
    await page.getByLabel('Explanation (optional)').fill('A break');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The suspension was accepted.').waitFor();
    await eventuallyShows(page, /Suspended by .* since/);
    expect(faults).toEqual([]);
  },
  ALL_MS,
);
