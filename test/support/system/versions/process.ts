// The worker as it ships, with a release: a process of its own, that polls some of the queues.
import { execa } from 'execa';
import { inject, onTestFinished } from 'vitest';
import { findPackageRoot } from '../../../../tools/temporal/cache.js';
import { eventually } from '../../temporal.js';
import { GOOD } from '../../worker-environment.js';

export function startProcess(taskQueue: string, queues: string) {
  const worker = execa(process.execPath, ['--import', 'tsx', 'worker/main.ts'], {
    cwd: findPackageRoot(),
    env: {
      ...GOOD,
      METRICS_PORT: '0',
      SWEEP_INTERVAL_HOURS: '0',
      AUDIT_INTERVAL_HOURS: '0',
      TASK_QUEUE: taskQueue,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      WORKER_QUEUES: queues,
      WORKER_VERSION: '1.0.0',
    },
    reject: false,
    all: true,
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  let output = '';
  worker.all.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  return {
    output: () => output,
    says: (line: string) =>
      eventually(
        () => Promise.resolve(output),
        (text) => text.includes(line),
      ),
    stop: async () => {
      worker.kill('SIGTERM');
      return (await worker).exitCode;
    },
  };
}
