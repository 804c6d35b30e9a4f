// The list of what Temporal's library says, against the library that is installed.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { OF_THE_CORE, OF_THE_WORKER, beginningOf } from '../../worker/sdk-events.js';

const require = createRequire(import.meta.url);
const rootOf = (name: string): string => dirname(require.resolve(`@temporalio/${name}/package.json`));

function textUnder(folder: string, extension: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const ours = files.filter((file) => file.endsWith(extension));
  return ours.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

const lib = [
  textUnder(join(rootOf('worker'), 'lib'), '.js'),
  textUnder(join(rootOf('workflow'), 'lib'), '.js'),
].join('\n');
const core = textUnder(rootOf('core-bridge'), '.rs');

test('each is said by the library as it is, so that nothing here is out of date', () => {
  expect(OF_THE_WORKER.filter((beginning) => !lib.includes(beginning))).toEqual([]);
  // A message may be broken over lines of its source.
  const sources = core.replace(/\\\n\s*/g, '');
  expect(OF_THE_CORE.filter((beginning) => !sources.includes(beginning))).toEqual([]);
});

test('nothing that the library’s JavaScript warns of is missing', () => {
  const said = [...lib.matchAll(/\b(?:logger|log|workerLogger)\.(?:warn|error)\(\s*(['"`])(.{6,}?)\1/gs)];
  const missing = said.map(([, , words = '']) => words).filter((words) => beginningOf(words) === undefined);
  expect(said.length).toBeGreaterThan(20);
  expect(missing.filter((words) => words !== 'lets go')).toEqual([]); // in a comment, as an example
});
