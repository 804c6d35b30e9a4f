// Writes the API document client/openapi.json from the contracts of the routes. With `--check` it writes nothing, and exits
// with 1 if the file differs. `npm run generate:types` generates the client's types from it.
import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { PUBLIC_ENDPOINTS } from '../api/app.js';
import { documentOf } from '../api/routes/operations/document.js';

const DOCUMENT = new URL('../client/openapi.json', import.meta.url);

// One line for each small part, so that a difference is short.
const wanted = await format(JSON.stringify(documentOf(PUBLIC_ENDPOINTS)), {
  parser: 'json',
  printWidth: 160,
});
if (!process.argv.includes('--check')) {
  await writeFile(DOCUMENT, wanted);
} else if ((await readFile(DOCUMENT, 'utf8')) !== wanted) {
  console.error('client/openapi.json differs from the routes; run npm run generate:client');
  process.exitCode = 1;
}
