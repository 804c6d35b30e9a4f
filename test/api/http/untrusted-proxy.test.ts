import { expect, test } from 'vitest';
import { createApp } from '../../../api/app.js';
import { anApi } from '../../support/api/app.js';

test.each([
  [0, 'x-forwarded-for', 1],
  [0, 'forwarded', 1],
  [0, 'x-real-ip', 1],
  [0, 'accept', 0],
  [1, 'x-forwarded-for', 0],
])('with TRUSTED_PROXIES=%d, requests with %s warn %d times', async (proxies, header, count) => {
  const { dependencies, lines } = anApi();
  const app = createApp({ ...dependencies, proxies });
  for (let i = 0; i < 3; i += 1) await app.request('/healthz', { headers: { [header]: '203.0.113.66' } });
  const warnings = lines.filter((line) => line.includes('forwarded header ignored'));
  expect(warnings).toHaveLength(count);
  expect(lines.join()).not.toContain('203.0.113.66');
});
