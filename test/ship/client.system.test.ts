import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { ROOT } from '../support/built-processes.js';

const PROGRAM = `
  import { answerOf, createClient } from 'payto-agreements/client';
  const sent = [];
  const fetch = async (request) => {
    sent.push([request.method, request.url, request.headers.get('authorization')]);
    return Response.json({ data: { uid: 'agr-1' } });
  };
  const client = createClient({ url: 'https://payto.test', apiKey: 'k', fetch });
  const asked = client.GET('/v1/agreements/{uid}', { params: { path: { uid: 'agr-1' } } });
  console.log(JSON.stringify({ sent, answer: await answerOf(asked) }));
`;

test('the client is imported by package name, sends its key and returns the answer', async () => {
  const { stdout } = await execa('node', ['--input-type=module', '--eval', PROGRAM], { cwd: ROOT });
  expect(JSON.parse(stdout)).toEqual({
    sent: [['GET', 'https://payto.test/v1/agreements/agr-1', 'Bearer k']],
    answer: { data: { uid: 'agr-1' } },
  });
  await access(join(ROOT, 'dist', 'client', 'create.d.ts'));
});
