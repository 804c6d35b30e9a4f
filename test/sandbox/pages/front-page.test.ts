import { expect, test } from 'vitest';
import { anIgnoredAgreement, aWorld } from '../../support/sandbox/world.js';

const fetchPage = async (url: string): Promise<string> => (await fetch(url)).text();

test('the page lists resources, escaped, with the possible payer actions', async () => {
  const world = await aWorld();
  const uid = await anIgnoredAgreement(world, { description: '<b>Plan</b>' });
  const page = await fetchPage(world.url);
  expect(page).toContain(uid);
  expect(page).toContain('&lt;b&gt;Plan&lt;/b&gt;');
  expect(page).not.toContain('<b>Plan');
  expect(page).toContain(`data-path="/_control/agreements/${uid}/payer"`);
  expect(page).toContain('data-body="{&quot;action&quot;:&quot;accept&quot;}"');
  expect(page).not.toContain('{&quot;action&quot;:&quot;suspend&quot;}');
});

test('the page loads nothing from elsewhere and has a strict content policy', async () => {
  const { url } = await aWorld();
  const response = await fetch(url);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
});
