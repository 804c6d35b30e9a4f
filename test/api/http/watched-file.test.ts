import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linesIn, watchFile } from '../../../api/http/watched-file.js';

async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-watched-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'keys'), text);
  return join(folder, 'keys');
}

function parse(text: string): string[] {
  if (text.includes('bad')) throw new Error('expected good lines');
  return linesIn(text);
}

test('a changed file is read again, and an invalid version changes nothing', async () => {
  const path = await aFile('# two keys\none\n\n  two \n');
  const changes: (string | undefined)[] = [];
  const file = watchFile({ path, parse, onChange: (problem) => changes.push(problem) });
  file.check();
  expect(file.current()).toEqual(['one', 'two']);
  await writeFile(path, 'bad line');
  file.check();
  file.check();
  expect(file.current()).toEqual(['one', 'two']);
  await rm(path);
  file.check();
  expect(file.current()).toEqual(['one', 'two']);
  await writeFile(path, 'three');
  file.check();
  expect(file.current()).toEqual(['three']);
  expect(changes).toEqual(['expected good lines', expect.stringContaining('ENOENT'), undefined]);
});

test('an invalid first version is refused', async () => {
  const path = await aFile('bad');
  expect(() => watchFile({ path, parse, onChange: () => undefined })).toThrow('expected good lines');
});
