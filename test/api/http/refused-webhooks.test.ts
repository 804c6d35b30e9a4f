import { expect, test } from 'vitest';
import { WEBHOOK_SECRET, anApi, type Api } from '../../support/api/app.js';
import { signed } from '../../support/api/builders.js';

const push = async ({ app, time }: Api, path: string) =>
  app.request(path, { method: 'POST', headers: signed('{', WEBHOOK_SECRET, time.now), body: '{' });

test.each(["/webhooks/a'b", '/webhooks/acme/x', '/webhooks//', '//webhooks', '/Webhooks', '/webhook'])(
  'a webhook at %s is refused and counted',
  async (path) => {
    const api = anApi();
    expect((await push(api, path)).status).toBe(404);
    expect(await api.metrics.text()).toContain('payto_webhook_calls_refused_total{reason="not_found"} 1');
  },
);

test('refused webhooks are logged once a minute for each reason, with their number and no path', async () => {
  const api = anApi();
  for (const path of ['/webhooks/a/b', '/webhooks/a/b', '/webhooks/mary']) await push(api, path);
  api.time.now += 60_000;
  await push(api, '/webhooks/a/b');
  const warnings = api.lines.filter((line) => line.includes('"webhooks refused"'));
  expect(warnings.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: 40, code: 'not_found', count: 1 },
    { code: 'not_an_envelope', count: 1 },
    { code: 'not_found', count: 2 },
  ]);
  expect(warnings.join()).not.toMatch(/mary|a\/b/);
});
