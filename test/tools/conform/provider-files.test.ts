import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { judgeCodes } from '../../../tools/conform/codes.js';
import { readContract } from '../../../tools/conform/contract.js';
import { judgeExchange, judgeWebhook } from '../../../tools/conform/verdict.js';
import type { Exchange } from '../../../tools/conform/recorder.js';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const TERMS = {
  discriminator: { propertyName: 'type', mapping: { fixed: '#/components/schemas/fixed' } },
  anyOf: [{ $ref: '#/components/schemas/fixed' }],
};
const DOCUMENT = {
  openapi: '3.0.1',
  info: { title: 'Things', version: '1' },
  tags: [
    {
      name: 'Reason codes',
      description: '|Code|Title|\n|---|---|\n|AM04|Insufficient Funds|\n|QQ99|No such reason|',
    },
  ],
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      post: {
        requestBody: json({ $ref: '#/components/schemas/request' }),
        responses: { 201: { description: 'Created', ...json({ $ref: '#/components/schemas/thing' }) } },
      },
    },
  },
  components: {
    schemas: {
      thing: {
        type: 'object',
        required: ['uid', 'note'],
        properties: {
          uid: { type: 'string', pattern: '\\A\\d{3}\\z' },
          note: { type: 'string', nullable: true, enum: ['late'] },
        },
      },
      fixed: {
        type: 'object',
        required: ['amount'],
        properties: { type: { type: 'string' }, amount: { type: 'integer' } },
      },
      request: { type: 'object', properties: { terms: TERMS, metadata: { type: 'object' } } },
      'thing.webhook.thing.made': {
        type: 'object',
        properties: { data: { $ref: '#/components/schemas/thing' } },
      },
    },
  },
};

async function contract() {
  const folder = await mkdtemp(join(tmpdir(), 'conform-'));
  await writeFile(join(folder, 'things.json'), JSON.stringify(DOCUMENT));
  return readContract(folder);
}

const exchange = (changed: Partial<Exchange> = {}): Exchange => ({
  ...{ from: 'client', method: 'POST', path: '/things/7', query: {}, status: 201 },
  ...{ sentHeaders: {}, headers: new Headers() },
  sent: { terms: { type: 'fixed', amount: 5 }, metadata: { any: 1 } },
  body: { uid: '123', note: null },
  ...changed,
});

test('a documented exchange has no mismatch', async () => {
  expect(judgeExchange(await contract(), exchange())).toEqual([]);
});

test.each<[string, Partial<Exchange>, string[]]>([
  ['a missing field', { body: { uid: '123' } }, ['201 /note']],
  ['a failed Ruby pattern', { body: { uid: '1234', note: 'late' } }, ['201 /uid']],
  ['an unknown status', { status: 418 }, ['status 418']],
  [
    'an unknown request property',
    { sent: { terms: { type: 'fixed', amount: 5, max: 9 } } },
    ['request /terms/max'],
  ],
  ['the chosen variant', { sent: { terms: { type: 'fixed' } } }, ['request /terms/amount']],
  ['an unknown variant', { sent: { terms: { type: 'other', amount: 5 } } }, ['request /terms/type']],
  ['an unknown parameter', { query: { page: '1' } }, ['query /page']],
  ['an unknown operation', { path: '/others/7' }, ['operation']],
])('%s is a mismatch', async (_what, changed, where) => {
  const mismatches = judgeExchange(await contract(), exchange(changed));
  expect(mismatches.map((one) => one.where)).toEqual(where);
});

test('a webhook is judged by its type', async () => {
  const type = 'thing.made';
  const where = (body: object) => async () => judgeWebhook(await contract(), body).map((one) => one.where);
  expect(await where({ data: { type, uid: '123', note: 'late' } })()).toEqual([]);
  expect(await where({ data: { type, note: 'late' } })()).toEqual(['webhook /data/uid']);
  expect(await where({ data: { type: 'thing.lost' } })()).toEqual(['type']);
});

test('a reason code missing from our table is a mismatch', async () => {
  const { mismatches } = judgeCodes(await contract());
  expect(mismatches.map(({ where, met }) => [where, met])).toContainEqual(['code QQ99', 'nothing']);
});

test('the command exits with 2 for a folder without API files', async () => {
  const main = join(import.meta.dirname, '../../../tools/conform/main.ts');
  const words = ['--import', 'tsx', main, import.meta.dirname];
  const { exitCode, stderr } = await execa(process.execPath, words, { reject: false });
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`expected OpenAPI files (*.yml, *.yaml, *.json) in ${import.meta.dirname}; found none`);
});
