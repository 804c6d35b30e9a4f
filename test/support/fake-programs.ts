import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'payto-temporal-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function aProgram(path: string, script: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

export function aTemporalCli(path: string, serverVersion: string): Promise<string> {
  return aProgram(path, `echo 'temporal version 0.0.0-DEV (Server ${serverVersion}, UI 2.50.1)'`);
}
