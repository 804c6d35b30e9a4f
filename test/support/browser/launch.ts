import { execa } from 'execa';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { leavesOutBrowserTests } from './config.js';

export const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const;
const ALONE = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const isLeftOut = leavesOutBrowserTests();
if (isLeftOut) console.warn('browser test skipped (BROWSER_TESTS=skip)');

export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: await browserOnPath(), args: ALONE });
  onTestFinished(() => browser.close());
  return browser;
}

export async function browserOnPath(path?: string): Promise<string> {
  const { stdout } = await execa('/bin/sh', ['-c', `command -v ${NAMES.join(' || command -v ')}`], {
    reject: false,
    ...(path === undefined ? {} : { env: { PATH: path } }),
  });
  if (stdout !== '') return stdout;
  throw new Error(
    `expected a browser on PATH (${NAMES.join(', ')}); install one (Debian: apt-get install chromium) ` +
      'or set BROWSER_TESTS=skip to skip browser tests',
  );
}

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
