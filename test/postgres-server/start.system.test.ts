import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres, type StartPostgresOptions } from '../../postgres-server/start.js';
import { freePort } from '../../temporal-server/free-port.js';
import { opened } from '../support/database.js';

async function options(): Promise<StartPostgresOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-postgres-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return { folder, port: await freePort(), password: 'a b/c@:' };
}

async function started(given: StartPostgresOptions) {
  const server = await startPostgres(given);
  onTestFinished(() => server.stop());
  return { ...server, db: opened(server.urlOf('postgres')).db };
}

test('a server keeps its data from one start to the next', async () => {
  const given = await options();
  await mkdir(join(given.folder, 'data.new'));
  await writeFile(join(given.folder, 'data.new', 'PG_VERSION'), 'an interrupted start');
  const first = await started(given);
  await sql`create table kept as select 7 as seven`.execute(first.db);
  await first.stop();
  const { db } = await started(given);
  expect((await sql`select * from kept`.execute(db)).rows).toEqual([{ seven: 7 }]);
});

test('a server left by a killed process is replaced by the next start', async () => {
  const given = await options();
  const code = `import { startPostgres } from './postgres-server/start.ts';
    const { pid } = await startPostgres(${JSON.stringify(given)});
    process.kill(pid, 'SIGSTOP');
    process.kill(process.pid, 'SIGKILL');`;
  const killed = await execa(process.execPath, ['--import', 'tsx', '--input-type', 'module', '-e', code], {
    reject: false,
  });
  expect(killed.signal).toBe('SIGKILL');
  const { db } = await started(given);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test('a port in use is reported', async () => {
  const given = await options();
  const taken = createServer();
  await once(taken.listen(given.port, '127.0.0.1'), 'listening');
  onTestFinished(() => void taken.close());
  await expect(startPostgres(given)).rejects.toThrow(`Port ${given.port} cannot be used for PostgreSQL`);
});
