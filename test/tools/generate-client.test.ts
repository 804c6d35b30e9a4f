// What is published of the API follows its routes: the document and the types made from it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { clientFiles, staleFiles } from '../../tools/generate-client.js';

const DOCUMENT = 'client/openapi.json';
const TYPES = 'client/schema.ts';

/** A copy of the repository that has these files alone. */
async function aCopy(files: Record<string, string>): Promise<URL> {
  const root = await mkdtemp(join(tmpdir(), 'client-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, 'client'));
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
  return pathToFileURL(`${root}/`);
}

test('client/ is what the routes say', async () => {
  const files = await clientFiles();
  expect([...files.keys()]).toEqual([DOCUMENT, TYPES]);
  expect(await staleFiles(files, new URL('../../', import.meta.url))).toEqual(new Map());
});

test('either file is found stale, and a missing one too', async () => {
  const files = new Map([
    [DOCUMENT, 'new'],
    [TYPES, 'new'],
  ]);
  const staleIn = async (there: Record<string, string>) => [
    ...(await staleFiles(files, await aCopy(there))).keys(),
  ];
  expect(await staleIn({ [DOCUMENT]: 'new', [TYPES]: 'new' })).toEqual([]);
  expect(await staleIn({ [DOCUMENT]: 'old', [TYPES]: 'new' })).toEqual([DOCUMENT]);
  expect(await staleIn({ [DOCUMENT]: 'new', [TYPES]: 'old' })).toEqual([TYPES]);
  expect(await staleIn({ [TYPES]: 'new' })).toEqual([DOCUMENT]);
});
