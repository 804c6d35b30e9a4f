import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
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

test('a changed file is read again', async () => {
  const path = await aFile('# two keys\none\n\n  two \n');
  const changes: (string | undefined)[] = [];
  const file = watchFile({ path, parse, onChange: (problem) => changes.push(problem) });
  file.check();
  expect(file.current()).toEqual(['one', 'two']);
  await writeFile(path, 'three');
  file.check();
  expect(file.current()).toEqual(['three']);
  expect(changes).toEqual([undefined]);
});

test('a version with a fault keeps only the entries that it still names, and adds none', async () => {
  const path = await aFile('leaked\none\ntwo');
  const changes: (string | undefined)[] = [];
  const file = watchFile({ path, parse, onChange: (problem) => changes.push(problem) });
  await writeFile(path, ' two\nbad line\nthree\n');
  file.check();
  file.check();
  expect(file.current()).toEqual(['two']);
  await writeFile(path, 'leaked\nanother bad line\ntwo');
  file.check();
  expect(file.current()).toEqual(['two']);
  expect(changes).toEqual(['expected good lines', 'expected good lines']);
});

test('a removed file ends all entries, is reported once, and is read when it is back', async () => {
  const path = await aFile('one');
  const changes: (string | undefined)[] = [];
  const file = watchFile({ path, parse, onChange: (problem) => changes.push(problem) });
  await rename(path, `${path}.away`);
  file.check();
  file.check();
  expect(file.current()).toEqual([]);
  await rename(`${path}.away`, path);
  file.check();
  expect(file.current()).toEqual(['one']);
  expect(changes).toEqual([expect.stringContaining('ENOENT'), undefined]);
});

test('an invalid first version is refused', async () => {
  const path = await aFile('bad');
  expect(() => watchFile({ path, parse, onChange: () => undefined })).toThrow('expected good lines');
});
