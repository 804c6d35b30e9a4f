import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './browser/launch.js';

export interface OpenPage {
  page: Page;
  requests: string[];
  errors: string[];
}

export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const browser = await launchBrowser();
  const page = await (await browser.newContext({ locale: 'en-AU', ...options })).newPage();
  const [requests, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url);
  return { page, requests, errors };
}
