import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { POSTGRES_OWNER, startPostgres, type RunningPostgres } from '../../postgres-server/start.js';
import { freePort } from '../../temporal-server/free-port.js';
import { migrate } from './records.js';

export interface RecordsServer {
  url: string;
  freeze: () => Promise<void>;
  kill: () => Promise<void>;
  restart: () => Promise<void>;
}

export async function aRecordsServer(): Promise<RecordsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-outage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const options = { folder, port: await freePort(), password: 'tests' };
  let server: RunningPostgres = await startPostgres(options);
  onTestFinished(() => server.stop());
  const adminUrl = server.urlOf('payto_records');
  const url = adminUrl.replace(POSTGRES_OWNER, 'payto');
  await migrate(adminUrl, url);
  return {
    url,
    freeze: async () => {
      for (const pid of await processesOf(server)) process.kill(pid, 'SIGSTOP');
    },
    kill: async () => {
      for (const pid of await processesOf(server)) process.kill(pid, 'SIGKILL');
      await server.exited;
    },
    restart: async () => {
      server = await startPostgres(options);
    },
  };
}

async function processesOf({ pid }: RunningPostgres): Promise<number[]> {
  const { stdout } = await execa('pgrep', ['-P', String(pid)]);
  return [pid, ...stdout.split('\n').map(Number)];
}
