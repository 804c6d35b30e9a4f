// A worker as it runs: a process of its own with its own environment, that can be killed at any instant.
import { inject } from 'vitest';
import { fromSource, startNode } from './node-process.js';
import { CLIENT_SECRET } from './road.js';
import type { Road } from './road.js';

export interface WorkerProcess {
  /** Ends it without a word, as the kernel does to a process that takes too much memory; resolves once it is gone. */
  kill: () => Promise<void>;
  /** Freezes it where it is, or lets it go on from there. */
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void;
}

export interface WorkerOver {
  /** What Node is to run: the sources, unless it is said to be what was built of them, which is up sooner. */
  program?: readonly string[];
  /** Variables that it has otherwise. */
  env?: Readonly<Record<string, string>>;
}

/**
 * Starts a worker on this road's task queue, and resolves once it polls.
 * @param paymentsUrl where it finds the payments API, so that a test can stand between.
 */
export async function startWorkerProcess(
  { keyring, sandbox, url }: Road,
  taskQueue: string,
  paymentsUrl: string,
  { program = fromSource('worker/main.ts'), env = {} }: WorkerOver = {},
): Promise<WorkerProcess> {
  const keys = keyring.map(({ id, key }) => `${id}:${key.export().toString('base64')}`).join();
  const { ended, hasWritten, signal } = startNode(program, {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TASK_QUEUE: taskQueue,
    PAYMENTS_API_URL: paymentsUrl,
    PAYMENTS_AUTH_URL: sandbox.url,
    PAYMENTS_RATE_PER_SECOND: '500',
    PAYMENTS_RATE_BURST: '500',
    OAUTH_CLIENT_ID: 'sandbox-client',
    OAUTH_CLIENT_SECRET: CLIENT_SECRET,
    OAUTH_REDIRECT_URI: `${url}/oauth/callback`,
    ENCRYPTION_KEYS: keys,
    METRICS_PORT: '0',
    // What is found again here is found by what an agreement does itself, and not by a sweep.
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
