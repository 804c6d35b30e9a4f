import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openUiProxy } from '../../../cli/stack/ui-proxy.js';
import { freePort } from '../../../temporal-server/free-port.js';

const SETTINGS = {
  Auth: { Enabled: false },
  Codec: { Endpoint: 'http://127.0.0.1:1/codec', IncludeCredentials: false },
};

async function aDoor(): Promise<string> {
  const ui = createServer((asked, answer) => {
    void buffer(asked).then((body) => {
      const isZipped = asked.headers['accept-encoding']?.includes('gzip') === true;
      const text = asked.url?.startsWith('/api/v1/settings')
        ? JSON.stringify(SETTINGS)
        : `${asked.method} ${asked.url} ${body.toString()}`;
      answer.writeHead(asked.url === '/gone' ? 404 : 200, {
        'x-ui': 'yes',
        ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
      });
      answer.end(isZipped ? gzipSync(text) : text);
    });
  });
  const [behind, port] = [await freePort(), await freePort()];
  await once(ui.listen(behind, '127.0.0.1'), 'listening');
  onTestFinished(() => void ui.close());
  onTestFinished(await openUiProxy({ port, behind, signInUrl: 'http://127.0.0.1:1/codec/login' }));
  return `http://127.0.0.1:${port}`;
}

test.each(['gzip', 'identity'])(
  'settings with the encoding %s enable credentials and link to the sign-in',
  async (encoding) => {
    const answer = await fetch(`${await aDoor()}/api/v1/settings?`, {
      headers: { 'accept-encoding': encoding },
    });
    expect(await answer.json()).toEqual({
      ...SETTINGS,
      Codec: {
        ...SETTINGS.Codec,
        IncludeCredentials: true,
        DefaultErrorMessage: 'Sign in to decrypt payloads:',
        DefaultErrorLink: 'http://127.0.0.1:1/codec/login',
      },
    });
  },
);

test('all other requests pass through unchanged', async () => {
  const url = await aDoor();
  const posted = await fetch(`${url}/api/v1/x?y=1`, { method: 'POST', body: 'z' });
  expect([posted.status, posted.headers.get('x-ui'), await posted.text()]).toEqual([
    200,
    'yes',
    'POST /api/v1/x?y=1 z',
  ]);
  expect((await fetch(`${url}/gone`)).status).toBe(404);
});

test('a call fails without a UI, and the proxy keeps running', async () => {
  const port = await freePort();
  onTestFinished(await openUiProxy({ port, behind: await freePort(), signInUrl: 'http://x.test' }));
  for (let round = 0; round < 2; round += 1)
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
