// Writes the table of bank holidays, domain/time/holidays.ts: `npm run generate:holidays`. With `--check` it writes nothing, and exits with 1 if
// the table differs.
import { readFile, writeFile } from 'node:fs/promises';
import { holidayTable } from './holidays/table.js';

const TABLE = new URL('../domain/time/holidays.ts', import.meta.url);

const wanted = holidayTable();
if (!process.argv.includes('--check')) {
  await writeFile(TABLE, wanted);
} else if ((await readFile(TABLE, 'utf8')) !== wanted) {
  console.error('domain/time/holidays.ts differs from date-holidays; run npm run generate:holidays');
  process.exitCode = 1;
}
