import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { prefers } from '../../../api/http/accept.js';
import type { Env } from '../../../api/http/env.js';

const app = new Hono<Env>().get('/', (c) => c.text(prefers(c, 'text/csv') ? 'csv' : 'json'));

test.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['image/png', 'json'],
  ['text/csv', 'csv'],
  ['Text/CSV; charset=utf-8', 'csv'],
  ['text/csv, */*', 'csv'],
  ['text/*', 'csv'],
  ['application/json, text/csv;q=0.1', 'json'],
  ['text/csv;q=0.1, application/json', 'json'],
  ['application/json;q=0.5, text/csv', 'csv'],
  ['text/csv, application/json', 'json'],
  ['*/*, text/csv;q=0.1', 'json'],
  ['text/csv;q=0', 'json'],
  ['text/csvx', 'json'],
])('Accept: %s gets %s', async (accept, expected) => {
  const answer = await app.request('/', { headers: accept === undefined ? {} : { accept } });
  expect(await answer.text()).toBe(expected);
});
