import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { csvParts, jsonLines, streamed } from '../../../api/http/streamed.js';
import { createLogger } from '../../../telemetry/logger.js';
import { listen } from '../../support/http.js';
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

async function* pages(): AsyncGenerator<{ id: string; amount: number }[]> {
  yield [
    { id: 'a', amount: 1 },
    { id: 'b', amount: 2 },
  ];
  yield await Promise.resolve([{ id: 'c', amount: 3 }]);
}

const textOf = async (parts: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const part of parts) text += part;
  return text;
};

test('CSV and JSON lines end with the number of rows before', async () => {
  expect(await textOf(csvParts(['id', 'amount', 'more'], pages()))).toBe(
    'id,amount,more\r\na,1,\r\nb,2,\r\nc,3,\r\nend,3,\r\n',
  );
  expect(await textOf(jsonLines(pages()))).toMatch(/\{"id":"c","amount":3\}\n\{"end":true,"lines":3\}\n$/);
});
