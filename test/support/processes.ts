import { execa } from 'execa';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { eventually } from './temporal.js';
import { inject } from 'vitest';
import { CLIENT_SECRET } from './serve-api.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { Road } from './road.js';

export interface NodeProcess {
  output: () => string;
  ended: Promise<number | undefined>;
  signal: (name: NodeJS.Signals) => void;
  hasWritten: (words: RegExp) => Promise<void>;
}

export const builtOf = (room: 'api' | 'sandbox' | 'worker'): string => `dist/${room}/main.js`;

export function startNode(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): NodeProcess {
  const written: string[] = [];
  const child = execa(process.execPath, words, {
    cwd: findPackageRoot(),
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', ...variables },
    extendEnv: false,
    reject: false,
    all: true,
    buffer: false,
    stdin: 'ignore',
  });
  child.all.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const output = (): string => written.join('');
  const ended = child.then(({ exitCode }) => exitCode);
  return {
    output,
    ended,
    signal: (name) => void child.kill(name),
    hasWritten: async (words) => {
      const gone = ended.then((code) => {
        throw new Error(
          `the process ended with ${code ?? 'a signal'} before it printed ${String(words)}: ${output()}`,
        );
      });
      const asked = eventually(
        () => Promise.resolve(output()),
        (text) => words.test(text),
      );
      await Promise.race([asked, gone]);
    },
  };
}

export interface WorkerProcess {
  kill: () => Promise<void>;
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void;
}

/** As an environment variable. */
export const printed = (ring: Keyring): string =>
  ring.map(({ id, key }) => `${id}:${key.export().toString('base64')}`).join();

export async function startWorkerProcess(
  { keyring, tokenKeys, sandbox, url }: Road,
  taskQueue: string,
  paymentsUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  const { ended, hasWritten, signal } = startNode([builtOf('worker')], {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TASK_QUEUE: taskQueue,
    PAYMENTS_API_URL: paymentsUrl,
    PAYMENTS_AUTH_URL: sandbox.url,
    PAYMENTS_RATE_PER_SECOND: '500',
    PAYMENTS_RATE_BURST: '500',
    OAUTH_CLIENT_ID: 'sandbox-client',
    OAUTH_CLIENT_SECRET: CLIENT_SECRET,
    OAUTH_REDIRECT_URI: `${url}/oauth/callback`,
    ENCRYPTION_KEYS: printed(keyring),
    TOKEN_KEYS: printed(tokenKeys),
    RECORDS_URL: inject('recordsUrl'),
    METRICS_PORT: '0',
    INSECURE_SANDBOX: 'on',
    WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    SWEEP_INTERVAL_HOURS: '0',
    AUDIT_INTERVAL_HOURS: '0',
    ...env,
  });
  const kill = async (): Promise<void> => {
    signal('SIGKILL');
    await ended;
  };
  await hasWritten(/worker polling/).catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return { kill, signal };
}
