import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { streamed } from '../../../api/http/streamed.js';
import { createLogger } from '../../../telemetry/logger.js';
import { listen } from '../../support/listen.js';
import type { Env } from '../../../api/http/env.js';

async function* parts(isBroken: boolean): AsyncGenerator<string> {
  yield 'one,';
  if (isBroken) throw new Error('the database did not answer');
  yield await Promise.resolve('two');
}

test('an answer in parts is whole, or cut off', async () => {
  const lines: string[] = [];
  const log = createLogger('api', { write: (line: string) => void lines.push(line) });
  const app = new Hono<Env>();
  app.get('/:how', (c) => streamed(c, log, parts(c.req.param('how') === 'broken')));
  const { server, url } = await listen();
  onTestFinished(() => void server.close());
  const answer = getRequestListener(app.fetch);
  server.on('request', (incoming, outgoing) => void answer(incoming, outgoing));
  expect(await (await fetch(`${url}/whole`)).text()).toBe('one,two');
  await expect(fetch(`${url}/broken`).then((answer) => answer.text())).rejects.toThrow();
  expect(lines.join()).toContain('a long answer was cut off');
});
