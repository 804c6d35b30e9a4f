import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../support/built-processes.js';

const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];
const STAND_INS = /^@temporalio\/worker\/lib\/workflow(\/module-overrides\/|-log-interceptor)/;

let modules: string[];
beforeAll(async () => {
  const code = await readFile(join(ROOT, 'dist', 'workflow-bundle.js'), 'utf8');
  modules = [...code.matchAll(/^(?:\/\*{3}\/ "([^"]+)"|;\/\/ (\.\S+))$/gm)].flatMap(
    ([, apart, merged]) => apart ?? merged ?? [],
  );
});

const packageOf = (id: string): string | undefined =>
  /^\.\/node_modules\/(?<name>@[^/]+\/[^/]+|[^/]+)\//.exec(id)?.groups?.['name'];

test('the bundle contains our built code and the workflow SDK', () => {
  expect(modules).toContain('./dist/workflows/agreement/definition.js');
  expect(modules).toContain('./node_modules/@temporalio/workflow/lib/index.js');
  const rest = modules.filter((id) => packageOf(id) === undefined && !id.startsWith('?'));
  const ours = /^\.\/dist\/((workflows|domain)\/|sealing\/failure-converter\.js$)/;
  expect(rest.filter((id) => !ours.test(id))).toEqual([]);
  expect(modules).toContain('./dist/sealing/failure-converter.js');
});

test('the bundle contains no zod, Node module or other heavy package', () => {
  const foreign = modules.filter((id) => {
    const name = packageOf(id);
    const inside = id.replace('./node_modules/', '');
    return name !== undefined && !PACKAGES.includes(name) && !STAND_INS.test(inside);
  });
  expect(foreign).toEqual([]);
  const node = new Set(builtinModules.flatMap((name) => [name, `node:${name}`, `external "${name}"`]));
  expect(modules.filter((id) => node.has(id))).toEqual([]);
  expect(modules.filter((id) => /\.schema\.js$|\/activities\//.test(id))).toEqual([]);
});
