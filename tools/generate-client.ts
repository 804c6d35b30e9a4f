// Writes client/openapi.json, the API's document, as the contracts of the routes have it. With `--check` it writes nothing, and
// ends with 1 where the file differs. The types of the client are generated from the file (`npm run generate:types`).
import { readFile, writeFile } from 'node:fs/promises';
import { ENDPOINTS } from '../api/app.js';
import { documentOf } from '../api/routes/operations/document.js';

const DOCUMENT = new URL('../client/openapi.json', import.meta.url);

const wanted = `${JSON.stringify(documentOf(ENDPOINTS), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  await writeFile(DOCUMENT, wanted);
} else if ((await readFile(DOCUMENT, 'utf8')) !== wanted) {
  console.error('client/openapi.json differs from the routes; run npm run generate:client');
  process.exitCode = 1;
}
