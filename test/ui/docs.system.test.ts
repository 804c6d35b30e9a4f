import { execa } from 'execa';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createApi } from '../../cli/api/client.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { isLeftOut, openPage, type OpenPage } from '../support/browser/launch.js';
import { startStack } from '../support/browser/stack.js';
import type { Stack } from '../../cli/stack/bring-up.js';

const ALL_MS = 180_000;
const HEADINGS = [
  'Authenticate',
  'Make the first call',
  'Repeat requests',
  'Wait for outcomes',
  'Read errors',
];
const VIEWER = 'document.querySelector("openapi-explorer")';
const FONT_OF_HEADING = `getComputedStyle(${VIEWER}.shadowRoot.querySelector('h2')).fontFamily`;
const BACKGROUND = `getComputedStyle(${VIEWER}).backgroundColor`;
const Created = z.object({ data: z.object({ uid: z.string(), state: z.string() }) });

async function makeFirstCall({ page }: OpenPage, { apiUrl, apiKey }: Stack): Promise<void> {
  await ensureConsent(createApi(apiUrl, apiKey, new AbortController().signal), 'demo');
  const shown = await page.locator('pre', { hasText: 'curl' }).innerText();
  expect(shown).toContain('http://127.0.0.1:8080/');
  const command = shown.replace('http://127.0.0.1:8080', apiUrl).replace('paste-your-key', apiKey);
  const { stdout } = await execa('/bin/sh', ['-c', command]);
  expect(Created.parse(JSON.parse(stdout)).data).toEqual({ uid: 'agr-first', state: 'active' });
}

async function tryOut({ page }: OpenPage, { apiKey }: Stack): Promise<void> {
  await page.locator('#link-auth').click();
  await page.getByPlaceholder('api-token').fill(apiKey);
  await page.getByRole('button', { name: 'SET' }).click();
  await page.locator('[id="link-get-/v1/agreements"]').click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/v1/agreements')),
    page.getByRole('button', { name: 'EXECUTE' }).click(),
  ]);
  expect(answer.status()).toBe(200);
  await page.getByText('agr-first').first().waitFor();
}

async function readTask({ page }: OpenPage, { apiUrl }: Stack): Promise<void> {
  const href = await page.getByRole('link', { name: 'list agreements', exact: true }).getAttribute('href');
  expect(href).toBe('/docs/agreement#list-agreements');
  const task = await openPage(`${apiUrl}${href ?? ''}`);
  await task.page.getByRole('heading', { name: 'List agreements' }).waitFor();
  await task.page.getByRole('link', { name: 'Payments', exact: true }).click();
  await task.page.getByRole('heading', { name: 'Create a payment' }).waitFor();
  isQuiet(task, { apiUrl });
}

const isQuiet = ({ requests, errors }: OpenPage, { apiUrl }: Pick<Stack, 'apiUrl'>): void => {
  expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([new URL(apiUrl).origin]));
  // A violation of the page's Content-Security-Policy is an error in the console.
  expect(errors).toEqual([]);
};

test.skipIf(isLeftOut)(
  'the API reference explains the first call, which works, and tries out operations without leaving its origin',
  async () => {
    const stack = await startStack();
    const opened = await openPage(`${stack.apiUrl}/docs`);
    const { page } = opened;
    for (const name of HEADINGS) await page.getByRole('heading', { name }).waitFor();
    expect(await page.evaluate(FONT_OF_HEADING)).toMatch(/sans-serif$/);
    await makeFirstCall(opened, stack);
    await tryOut(opened, stack);
    await readTask(opened, stack);
    isQuiet(opened, stack);

    const viewport = { width: 375, height: 760 };
    const phone = await openPage(`${stack.apiUrl}/docs`, { viewport, colorScheme: 'dark' });
    await phone.page.getByRole('heading', { name: 'Make the first call' }).waitFor();
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await phone.page.evaluate(BACKGROUND)).toBe('rgb(20, 24, 28)');
    isQuiet(phone, stack);
  },
  ALL_MS,
);
