// A release needs only what `npm ci --omit=dev` installs, and `npm run sbom` lists all of it.
import { glob, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { execa } from 'execa';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../support/built-processes.js';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      ...{
        version: z.string().optional(),
        dev: z.boolean().optional(),
        devOptional: z.boolean().optional(),
        link: z.boolean().optional(),
      },
    }),
  ),
});
const Sbom = z.object({ components: z.array(z.object({ name: z.string(), version: z.string() })) });

const jsonOf = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(ROOT, path), 'utf8'));

/** By path in node_modules, without those for development. */
async function installed(): Promise<Map<string, string | undefined>> {
  const { packages } = Lock.parse(await jsonOf('package-lock.json'));
  return new Map(
    Object.entries(packages)
      .filter(
        ([path, { dev, devOptional, link }]) =>
          path.startsWith('node_modules/') && !(dev ?? devOptional ?? link),
      )
      .map(([path, { version }]) => [path, version]),
  );
}

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
const isBare = (specifier: string): boolean =>
  !/^(\.|node:)/.test(specifier) && !builtinModules.includes(specifier);

test('every package that dist/ imports is installed without those for development', async () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(await jsonOf('package.json'));
  const packages = await installed();
  const imported = new Set<string>();
  // The bundle of workflows and the page of the documentation contain their packages.
  for await (const path of glob('dist/*/**/*.js', { cwd: ROOT })) {
    const { importedFiles } = ts.preProcessFile(await readFile(join(ROOT, path), 'utf8'), true, true);
    for (const { fileName } of importedFiles) if (isBare(fileName)) imported.add(packageOf(fileName));
  }
  expect(imported.size).toBeGreaterThan(10);
  expect([...imported].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  expect([...imported].filter((name) => !packages.has(`node_modules/${name}`))).toEqual([]);
});

test('npm run sbom lists what is installed, and nothing else', async () => {
  await execa('npm', ['run', '--silent', 'sbom'], { cwd: ROOT });
  const { components } = Sbom.parse(await jsonOf('.data/sbom.cdx.json'));
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const expected = new Set(
    [...(await installed())].map(([path, version]) => `${path.split('node_modules/').pop()}@${version}`),
  );
  expect(listed).toEqual(expected);
});
