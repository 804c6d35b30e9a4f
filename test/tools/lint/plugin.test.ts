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

describe('vocabulary rule', () => {
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
    expect(vocabulary(code)).toEqual([expect.stringContaining('is not in the vocabulary')]);
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
  ])('accepts %s', (code) => {
    expect(vocabulary(code)).toEqual([]);
  });

  test('names the word to use', () => {
    expect(vocabulary('const wokenRuns = [];')).toEqual([
      '"woken" in "wokenRuns" is not in the vocabulary; use: resumeBlocked, resumed.',
    ]);
  });

  test.each(['deadline-words', 'our-facts', 'held-back', 'wake-waiting'])(
    'refuses a file named %s',
    (name) => {
      expect(vocabulary('', `/domain/${name}.ts`)).toHaveLength(1);
    },
  );

  test('accepts additional words per folder', () => {
    const more = { record: 'state' };
    expect(faultsIn('vocabulary', 'interface AgreementRecord {}', '/workflows/a.ts', [more])).toHaveLength(1);
    expect(vocabulary('const recordHistories = 1;')).toEqual([]);
  });
});

describe('prose rule', () => {
  test.each([
    '// Nobody knows.',
    '// The call goes on.',
    "const text = 'told us';",
    'const text = `${1} is for whoever asks`;',
  ])('refuses %s', (code) => {
    expect(faultsIn('prose', code)).toEqual([expect.stringContaining('is not allowed')]);
  });

  test.each(["const name = 'NoBody';", '// What is not known is retold.', 'const told = 1;'])(
    'accepts %s',
    (code) => {
      expect(faultsIn('prose', code)).toEqual([]);
    },
  );
});

describe('file name rule', () => {
  async function faultsOfFiles(folder: string, names: readonly string[]): Promise<string[]> {
    const root = await mkdtemp(join(tmpdir(), folder));
    onTestFinished(() => rm(root, { recursive: true }));
    await Promise.all(names.map((name) => writeFile(join(root, name), '')));
    return names.flatMap((name) => faultsIn('file-names', '', join(root, name)));
  }

  test('requires names that differ by more than a letter', async () => {
    expect(await faultsOfFiles('names-', ['event.ts', 'events.ts'])).toHaveLength(2);
    expect(
      await faultsOfFiles('names-', ['facts.ts', 'faces.ts', 'facts.schema.ts', 'fact-list.ts']),
    ).toHaveLength(3);
    expect(await faultsOfFiles('names-', ['terms.ts', 'terms.schema.ts', 'terms.test.ts'])).toEqual([]);
  });

  test('refuses a name that repeats its folder', () => {
    expect(faultsIn('file-names', '', join(import.meta.dirname, 'lint.ts'))).toEqual([
      '"lint" repeats the name of its folder; choose a more distinct name.',
    ]);
  });
});

describe('ignored format rule', () => {
  test.each([
    '// prettier-ignore\nconst ROWS = [1,2];',
    '// prettier-ignore\n/** Why. */\nexport const ROWS: number[] = [1,2];',
  ])('accepts a table: %s', (code) => {
    expect(faultsIn('ignored-format', code)).toEqual([]);
  });

  test.each([
    '// prettier-ignore\nfunction f() {}',
    '// prettier-ignore\nconst f = () => 1;',
    'const ROWS = [1,2]; // prettier-ignore',
    'f(1, 2); // prettier-ignore',
    'const ROWS = {\n  // prettier-ignore\n  a: f( ),\n};',
  ])('refuses any other code: %s', (code) => {
    expect(faultsIn('ignored-format', code)).toEqual([expect.stringContaining('above a table of data')]);
  });
});
