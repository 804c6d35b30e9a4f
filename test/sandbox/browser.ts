// A real browser for tests of pages, where the machine has one; where not, the tests are skipped and say so.
import { execa } from 'execa';
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** What a browser does behind one's back has no place in a test. */
const ALONE = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const { stdout: executablePath } = await execa('sh', ['-c', `command -v ${NAMES.join(' || command -v ')}`], {
  reject: false,
});
export const hasBrowser = executablePath !== '';
if (!hasBrowser) {
  console.warn(
    `SKIPPED: the tests of the sandbox’s page need a browser on PATH (${NAMES.join(', ')}); there is none`,
  );
}

export interface OpenPage {
  page: Page;
  /** Everything the page has asked for, and every error it has met. */
  requests: string[];
  errors: string[];
}

/** The page at that address, in a browser that is closed after the test. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const browser = await chromium.launch({ executablePath, args: ALONE });
  onTestFinished(() => browser.close());
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
