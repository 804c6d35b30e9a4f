import { WEBHOOK_SECRET, type Api } from './app.js';
import { signed } from './builders.js';

export const push = async (
  { app, time }: Api,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/webhooks',
) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = { ...signed(text, WEBHOOK_SECRET, time.now), ...headers };
  return app.request(path, { method: 'POST', headers: all, body: text });
};
export const metric = async ({ metrics }: Api, name: string) =>
  (await metrics.text()).split('\n').find((line) => line.startsWith(name));
