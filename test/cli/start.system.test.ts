import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../cli/api/waiting.js';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { freePort } from '../../temporal-server/free-port.js';
import { requireFreePort } from '../../temporal-server/start.js';
import { fetchPatiently } from '../support/http.js';

const THREE_STARTS_MS = 200_000;
const LAST_LINE = 'Then request a payment under it:';

const Answer = z.object({ data: z.object({ uid: z.string(), state: z.string() }) });

type Environment = Readonly<Record<string, string>>;

async function anEnvironment(): Promise<Environment> {
  const names = [
    'API_PORT',
    'ADMIN_PORT',
    'SANDBOX_PORT',
    'METRICS_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
  ];
  const ports = await Promise.all(names.map(() => freePort()));
  const unset = { TEMPORAL_ADDRESS: '', PAYMENTS_API_URL: '', API_KEYS: '', ENCRYPTION_KEYS: '' };
  return { ...unset, ...Object.fromEntries(names.map((name, index) => [name, String(ports[index])])) };
}

function start(folder: string, env: Environment, ...more: string[]) {
  const words = ['--import', 'tsx', 'cli/start.ts', '--data', folder, ...more];
  const child = execa(process.execPath, words, {
    cwd: findPackageRoot(),
    env,
    all: true,
    detached: true,
    reject: false,
    stdin: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  const greeted = new Promise<string>((resolve, reject) => {
    const lines = createInterface({ input: child.all });
    lines.on('line', (line) => {
      said.push(line);
      const end = said.indexOf(LAST_LINE);
      if (end >= 0 && said.length === end + 3) resolve(said.join('\n'));
    });
    void child.then(() => reject(new Error(`npm start ended:\n${said.join('\n')}`)));
  });
  const group = -(child.pid ?? 0);
  return { ended: child, greeted, said, signal: (signal: NodeJS.Signals) => process.kill(group, signal) };
}

function requestsIn(text: string) {
  const CURL = /curl -sS '([^']+)' -H "([^"]+)" -H '([^']+)' \\\n +-d '([^']+)'/g;
  return [...text.matchAll(CURL)].map(([, url = '', key = '', type = '', body = '']) => {
    const headers = new Headers([key, type].map((header) => pair(header)));
    return { url, headers, send: () => fetchPatiently(url, { method: 'POST', headers, body }) };
  });
}

function pair(header: string): [string, string] {
  const [name = '', value = ''] = header.split(': ');
  return [name, value];
}

const answered = async (response: Response) => Answer.parse(await response.json()).data;

test(
  'npm start runs the stack, keeps its data and clears it with --fresh',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'payto-start-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const environment = await anEnvironment();

    const first = start(folder, environment);
    const greeting = await first.greeted;
    expect(greeting).toContain('Created development secrets');
    expect(greeting).toContain(`Temporal UI  http://127.0.0.1:${environment['TEMPORAL_UI_PORT']}`);
    const [agreement, payment, ...more] = requestsIn(greeting);
    if (agreement === undefined || payment === undefined || more.length > 0) throw new Error(greeting);
    const { uid, state } = await answered(await agreement.send());
    expect(state).toBe('active');
    expect(await answered(await payment.send())).toMatchObject({ state: 'settled' });

    first.signal('SIGINT');
    expect((await first.ended).exitCode).toBe(0);
    const stops = ['stopping api', 'stopping worker', 'stopping sandbox', 'stopping temporal'];
    expect(first.said.filter((line) => stops.includes(line))).toEqual(stops);
    expect(first.said.at(-1)).toBe('Stopped. The data is kept for the next run.');

    const second = start(folder, environment);
    expect(await second.greeted).toContain('Connection demo had consent.');
    const found = await fetchPatiently(new URL(`/v1/agreements/${uid}`, agreement.url), {
      headers: agreement.headers,
    });
    expect(await answered(found)).toEqual({ uid, state: 'active' });

    second.signal('SIGKILL');
    const freed = Object.entries(environment).filter(([name]) => name.endsWith('_PORT'));
    for (const [name, port] of freed) {
      const probe = () => requireFreePort(Number(port), name).then(() => 'free', String);
      await eventually(probe, (seen) => seen === 'free', {
        what: `${name} to be free again`,
        limitMs: 30_000,
      });
    }

    const third = start(folder, environment, '--fresh');
    const anew = await third.greeted;
    expect(anew).toContain('Created development secrets');
    const [again] = requestsIn(anew);
    if (again === undefined) throw new Error(anew);
    const gone = new URL(`/v1/agreements/${uid}`, again.url);
    expect((await fetch(gone, { headers: again.headers })).status).toBe(404);
    expect((await fetch(gone, { headers: agreement.headers })).status).toBe(401);
    third.signal('SIGINT');
    expect((await third.ended).exitCode).toBe(0);
  },
  THREE_STARTS_MS,
);

test('npm start with a port used twice reports it and starts nothing', async () => {
  const environment = await anEnvironment();
  const port = environment['API_PORT'] ?? '';
  const { exitCode, stderr } = await execa(process.execPath, ['--import', 'tsx', 'cli/start.ts'], {
    cwd: findPackageRoot(),
    env: { ...environment, SANDBOX_PORT: port },
    reject: false,
  });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `Port ${port} is assigned to both the sandbox and the API; set API_PORT to another port`,
  );
});
