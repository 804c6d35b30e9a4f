import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, expect, onTestFinished, test } from 'vitest';
import { house } from '../../../tools/lint/plugin.mjs';

function faultsIn(
  rule: string,
  code: string,
  file = '/worker/planted.ts',
  more: readonly object[] = [],
): string[] {
  const linter = new Linter({ cwd: '/' });
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser },
    plugins: { house },
    rules: { [`house/${rule}`]: ['error', ...more] },
  };
  return linter
    .verify(code, [config], file)
    .map(({ message, fatal }) => `${fatal ? 'not parsed: ' : ''}${message}`);
}

const vocabulary = (code: string, file?: string): string[] => faultsIn('vocabulary', code, file);

describe('the vocabulary', () => {
  test.each([
    'const told = 1;',
    'function tellWorkflow() {}',
    'const heldBackMs = 1;',
    'type Held<R> = R;',
    'interface Seen { lookedAt: string }',
    'class Watcher { beat() {} }',
    'const NEWCOMERS = 5;',
    'const f = (glance: string) => glance;',
    'const table = { wakes: true };',
    "import { deliver as tell } from './deliver.js';",
  ])('refuses %s', (code) => {
    expect(vocabulary(code)).toEqual([expect.stringContaining('is out of the vocabulary')]);
  });

  test.each([
    'const lookUpAgreement = 1;',
    'const heartbeatMs = 1;',
    'const LOOK_UPS = 2;',
    'const holder = 1;',
    'type Table = Record<string, string>;',
    "import { told } from './elsewhere.js';",
    'const { told: received } = fact;',
    'const answer = { agreement_held: 1 };',
    'const text = "nobody told us"; // look',
  ])('takes %s', (code) => {
    expect(vocabulary(code)).toEqual([]);
  });

  test('says which word to use', () => {
    expect(vocabulary('const wokenRuns = [];')).toEqual([
      '"woken" in "wokenRuns" is out of the vocabulary; the word is: resumeBlocked, resumed.',
    ]);
  });

  test.each(['deadline-words', 'our-facts', 'held-back', 'wake-waiting'])(
    'refuses a file named %s',
    (name) => {
      expect(vocabulary('', `/domain/${name}.ts`)).toHaveLength(1);
    },
  );

  test('can have words of a room besides', () => {
    const more = { record: 'state' };
    expect(faultsIn('vocabulary', 'interface AgreementRecord {}', '/workflows/a.ts', [more])).toHaveLength(1);
    expect(vocabulary('const recordHistories = 1;')).toEqual([]);
  });
});

describe('the words of prose', () => {
  test.each(['// Nobody knows.', "const text = 'told anew';", 'const text = `${1} is for whoever asks`;'])(
    'refuses %s',
    (code) => {
      expect(faultsIn('prose', code)).toEqual([expect.stringContaining('is out of the vocabulary')]);
    },
  );

  test.each(["const name = 'NoBody';", '// What is not known is retold.', 'const told = 1;'])(
    'takes %s',
    (code) => {
      expect(faultsIn('prose', code)).toEqual([]);
    },
  );
});

describe('names of files', () => {
  async function faultsOfFiles(folder: string, names: readonly string[]): Promise<string[]> {
    const root = await mkdtemp(join(tmpdir(), folder));
    onTestFinished(() => rm(root, { recursive: true }));
    await Promise.all(names.map((name) => writeFile(join(root, name), '')));
    return names.flatMap((name) => faultsIn('file-names', '', join(root, name)));
  }

  test('differ by more than a letter', async () => {
    expect(await faultsOfFiles('names-', ['event.ts', 'events.ts'])).toHaveLength(2);
    expect(
      await faultsOfFiles('names-', ['facts.ts', 'faces.ts', 'facts.schema.ts', 'fact-list.ts']),
    ).toHaveLength(3);
    expect(await faultsOfFiles('names-', ['terms.ts', 'terms.schema.ts', 'terms.test.ts'])).toEqual([]);
  });

  test('do not repeat the name of their folder', () => {
    expect(faultsIn('file-names', '', join(import.meta.dirname, 'lint.ts'))).toEqual([
      '"lint" repeats the name of its folder; a name of its own says more.',
    ]);
  });
});

describe('an ignored format', () => {
  test.each([
    '// prettier-ignore\nconst ROWS = [1,2];',
    '// prettier-ignore\n/** Why. */\nexport const ROWS: number[] = [1,2];',
  ])('stands above a table: %s', (code) => {
    expect(faultsIn('ignored-format', code)).toEqual([]);
  });

  test.each([
    '// prettier-ignore\nfunction f() {}',
    '// prettier-ignore\nconst f = () => 1;',
    'const ROWS = [1,2]; // prettier-ignore',
    'f(1, 2); // prettier-ignore',
    'const ROWS = {\n  // prettier-ignore\n  a: f( ),\n};',
  ])('stands nowhere else: %s', (code) => {
    expect(faultsIn('ignored-format', code)).toEqual([expect.stringContaining('above a table of data')]);
  });
});
