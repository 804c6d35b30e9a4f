import { fileURLToPath } from 'node:url';
import { WorkflowNotFoundError } from '@temporalio/client';
import { execa } from 'execa';
import { inject } from 'vitest';
import { findPackageRoot } from '../../../../temporal-server/binary/cache.js';
import { bundleWorkflows } from '../../../../worker/workflow-code.js';

export type Version = '1.0.0' | '2.0.0';

export async function bundleReleases(): Promise<ReadonlyMap<Version, string>> {
  const codes = new Map<Version, string>();
  for (const [version, file] of [
    ['1.0.0', 'first'],
    ['2.0.0', 'second'],
  ] as const) {
    const workflowsPath = fileURLToPath(new URL(`./${file}.ts`, import.meta.url));
    const { code } = await bundleWorkflows(workflowsPath);
    codes.set(version, code);
  }
  return codes;
}

export function noneIfNotFound(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
export const isOf = (version: Version) => (met: { release: string }) => met.release === version;
export const isOn = (version: Version) => (met: string | undefined) => met === version;

export async function moveRuns(taskQueue: string, ...words: string[]) {
  const { exitCode, all } = await execa(process.execPath, ['dist/worker/move-runs.js', ...words], {
    cwd: findPackageRoot(),
    env: { TASK_QUEUE: taskQueue, TEMPORAL_ADDRESS: inject('temporalAddress') },
    reject: false,
    all: true,
  });
  return { exitCode, lines: all.split('\n') };
}
