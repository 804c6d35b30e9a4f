// Writes what client/ holds of the API: its document, then the types made from it (`npm run generate:client`).
// With `--check` it writes nothing, and ends with 1 where one of them is not what the contracts of the routes say.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTypes, { COMMENT_HEADER, astToString } from 'openapi-typescript';
import { ENDPOINTS } from '../api/app.js';
import { documentOf } from '../api/document.js';

/** What a file of client/ should hold, by its path in the repository. */
export type ClientFiles = ReadonlyMap<string, string>;

export async function clientFiles(): Promise<ClientFiles> {
  const document = `${JSON.stringify(documentOf(ENDPOINTS), null, 2)}\n`;
  const types = await openapiTypes(document, { defaultNonNullable: false });
  return new Map([
    ['client/openapi.json', document],
    ['client/schema.ts', `${COMMENT_HEADER}${astToString(types)}`],
  ]);
}

/** Those of them that are not there, or hold something else, in a copy of the repository. */
export async function staleFiles(files: ClientFiles, root: URL): Promise<ClientFiles> {
  const stale = new Map<string, string>();
  for (const [path, wanted] of files) {
    const text = await readFile(new URL(path, root), 'utf8').catch(() => undefined);
    if (text !== wanted) stale.set(path, wanted);
  }
  return stale;
}

async function generate(): Promise<void> {
  const root = new URL('../', import.meta.url);
  const stale = await staleFiles(await clientFiles(), root);
  const paths = [...stale.keys()].join(' and ');
  if (stale.size === 0) return console.log('client/ is what the routes say');
  if (process.argv.includes('--check')) {
    console.error(`${paths}: not what the routes say; run npm run generate:client`);
    process.exitCode = 1;
    return;
  }
  for (const [path, text] of stale) await writeFile(new URL(path, root), text);
  console.log(`written anew: ${paths}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
