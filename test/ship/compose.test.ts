import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { missingScopes } from '../../domain/needed-scopes.js';
import { readConfig as readSandboxConfig } from '../../sandbox/config.js';
import { variablesReadBy } from '../support/built-processes.js';
import { READERS, expectMatching } from '../support/process-settings.js';

const Services = z.record(
  z.string(),
  z.object({
    image: z.string(),
    mem_limit: z.string().optional(),
    logging: z.unknown(),
    environment: z.record(z.string(), z.coerce.string()).default({}),
  }),
);

const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const variablesIn = async (path: string) => parseEnv(await textOf(path));

async function servicesWith(envFile: string): Promise<z.output<typeof Services>> {
  const variables = await variablesIn(envFile);
  const fill = (_key: unknown, value: unknown) =>
    typeof value === 'string' ? filled(value, variables) : value;
  const document: unknown = parse(await textOf('docker-compose.yml'), fill, { merge: true });
  return z.object({ services: Services }).parse(document).services;
}

function filled(text: string, variables: Record<string, string | undefined>): string {
  const next = text.replace(
    /\$\{(\w+)(?::([-?])([^{}]*))?\}/,
    (_met, name: string, how: string | undefined, word = '') => {
      const value = variables[name] ?? '';
      if (value === '' && how === '?') throw new Error(String(word));
      return value === '' ? String(word) : value;
    },
  );
  return next === text ? text : filled(next, variables);
}

const environment = async (name: string) => {
  const service = (await servicesWith('docker/sandbox.env'))[name];
  if (service === undefined) throw new Error(`expected a service ${name}`);
  return service.environment;
};

describe('docker-compose.yml with docker/sandbox.env', () => {
  test('gives api, worker and sandbox valid, matching settings', async () => {
    const sandbox = readSandboxConfig(await environment('sandbox'));
    await expectMatching(await environment('api'), await environment('worker'), sandbox, {
      api: 'api',
      sandbox: 'sandbox',
    });
  });

  test.each(['api', 'worker', 'sandbox'])('gives %s only variables that it reads', async (room) => {
    const read = await variablesReadBy(room);
    expect(Object.keys(await environment(room)).filter((name) => !read.has(name))).toEqual([]);
  });

  test('gives the roles of the records what their commands read', async () => {
    const commands = { 'records-schema': 'migrate', 'records-expiry': 'expire', 'records-audit': 'records' };
    const isRead = await variablesReadBy('worker');
    for (const [service, command] of Object.entries(commands)) {
      const given = await environment(service);
      expect(Object.keys(given).filter((name) => !isRead.has(name))).toEqual([]);
      expect(() => READERS[`dist/worker/${command}.js`]?.read(given), service).not.toThrow();
    }
  });

  test('runs the same Temporal server version as the tests', async () => {
    const [, version] =
      /go\.temporal\.io\/server v(\S+)/.exec(await textOf('tools/temporal-postgres/go.mod')) ?? [];
    expect((await servicesWith('docker/sandbox.env'))['temporal']?.image).toBe(
      `temporalio/server:${version}`,
    );
  });
});

test('every service has a memory limit and rotated logs', async () => {
  for (const [name, service] of Object.entries(await servicesWith('docker/sandbox.env'))) {
    expect(service.mem_limit, name).toMatch(/^\d+[mg]$/);
    expect(service.logging, name).toEqual({
      driver: 'local',
      options: { 'max-size': '20m', 'max-file': '5' },
    });
  }
});

test('the image is built from every room that ships, and the production image without the sandbox', async () => {
  const { include } = z
    .object({ include: z.array(z.string()) })
    .parse(JSON.parse(await textOf('tsconfig.build.json')));
  const sent = (await textOf('.dockerignore')).split('\n');
  expect(include.filter((room) => !sent.includes(`!${room}`))).toEqual([]);
  const [, last = ''] = /FROM base AS production\n([^]*)$/.exec(await textOf('Dockerfile')) ?? [];
  expect(last).toMatch(/^RUN rm -r dist\/sandbox\n[^]*^USER 1000:1000$/m);
});

test('compose and the image have the same base image', async () => {
  const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(await textOf('Dockerfile')) ?? [];
  const named = [await variablesIn('.env.example')].map(({ NODE_IMAGE }) => NODE_IMAGE);
  const defaults = [...(await textOf('docker-compose.yml')).matchAll(/NODE_IMAGE:-([^}]+)\}/g)].map(
    ([, one]) => one,
  );
  expect(new Set([...named, ...defaults])).toEqual(new Set([base]));
});

test('every file names the Node that npm installs, and the tests run on it', async () => {
  const pinned = z
    .object({ version: z.string(), optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await textOf('tools/node/package.json')));
  const { engines, devDependencies } = z
    .object({ engines: z.object({ node: z.string() }), devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await textOf('package.json')));
  const major = process.versions.node.split('.', 1).join();
  expect({
    running: process.versions.node,
    packages: [...new Set(Object.values(pinned.optionalDependencies))],
    nvmrc: (await textOf('.nvmrc')).trim(),
    image: /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(await textOf('Dockerfile'))?.[1],
    engines: engines.node,
    types: devDependencies['@types/node']?.split('.', 1).join(),
  }).toEqual({
    running: pinned.version,
    packages: [pinned.version],
    nvmrc: pinned.version,
    image: pinned.version,
    engines: `>=${major}.0`,
    types: major,
  });
});

describe('.env.example', () => {
  test('requests every scope that our calls need', async () => {
    const { OAUTH_SCOPES = '' } = await variablesIn('.env.example');
    expect(missingScopes(OAUTH_SCOPES)).toEqual([]);
    expect(missingScopes(OAUTH_SCOPES.replace(' pay_to_refunds', ''))).toEqual([
      ['pay_to_refunds', 'refunds'],
    ]);
  });

  test('leaves the variables empty that docker compose requires', async () => {
    await expect(servicesWith('.env.example')).rejects.toThrow(/ is missing; see \.env\.example/);
  });

  test('explains exactly the variables in docker-compose.yml', async () => {
    const compose = await textOf('docker-compose.yml');
    const asked = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect(new Set(Object.keys(await variablesIn('.env.example')))).toEqual(asked);
    const filledIn = Object.keys(await variablesIn('docker/sandbox.env'));
    expect(filledIn.filter((name) => !asked.has(name))).toEqual([]);
  });
});
