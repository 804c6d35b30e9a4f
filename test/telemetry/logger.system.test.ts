import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { builtOf, startNode } from '../support/processes.js';
import { API, GOOD as WORKER } from '../support/environments.js';
import { freePort } from '../../temporal-server/free-port.js';

const breaking = (how: string): string[] => {
  const code = `const error = new TypeError('hunter2 of Mary\\n    at hunter3'); process.on('SIGUSR2', () => { ${how} });`;
  return ['--import', `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`];
};

async function endOf(
  room: 'api' | 'worker',
  variables: Record<string, string>,
  words: readonly string[] = [],
) {
  const address = `127.0.0.1:${await freePort()}`;
  const { signal, hasWritten, ended, output } = startNode([...words, builtOf(room)], {
    TEMPORAL_ADDRESS: address,
    METRICS_PORT: '0',
    ...variables,
  });
  onTestFinished(() => {
    signal('SIGKILL');
  });
  const asked = hasWritten(/listening|waiting for Temporal/).then(() => {
    signal('SIGUSR2');
  });
  await Promise.race([asked, ended]);
  return { exitCode: await ended, said: output().trimEnd() };
}

const Line = z.record(z.string(), z.unknown());
/** The line of the error. Work that the end of the process cuts off may log a warning after it. */
const errorIn = (said: string) =>
  said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => Line.parse(JSON.parse(line)))
    .findLast(({ level }) => level === 50);

const environmentOf = (room: 'api' | 'worker') =>
  room === 'worker' ? WORKER : { ...API, API_PORT: '0', ADMIN_PORT: '0' };

test.each([
  ['worker', 'throw error', 'TypeError'],
  ['worker', 'Promise.reject(error)', 'TypeError'],
  ['worker', `throw 'hunter2'`, 'string'],
  ['api', 'throw error', 'TypeError'],
] as const)(
  'the %s process exits on an uncaught `%s` and logs it without its message',
  async (name, how, errorClass) => {
    const { exitCode, said } = await endOf(name, environmentOf(name), breaking(how));
    expect(exitCode).toBe(1);
    expect(errorIn(said)).toMatchObject({
      level: 50,
      name,
      event: 'unhandled error, stopping the process',
      error_class: errorClass,
      ...(errorClass !== 'string' && {
        thrown_at: expect.stringContaining('data:text/javascript') as string,
      }),
    });
    expect(said).not.toMatch(/hunter|Mary/);
  },
);

test.each(['worker', 'api'] as const)(
  'the %s process refuses an address that contains a password without quoting it',
  async (name) => {
    const TEMPORAL_ADDRESS = 'user:hunter2@temporal.example:7233';
    const { exitCode, said } = await endOf(name, { ...environmentOf(name), TEMPORAL_ADDRESS });
    expect(exitCode).toBe(78);
    expect(said).toMatch(/^(?:worker|api): TEMPORAL_\*: expected .*TEMPORAL_ADDRESS.*$/);
    expect(said).not.toContain('hunter2');
  },
);
