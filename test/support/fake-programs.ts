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

export async function aModuleFolder(folder: string, sums = 'sum'): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'go.mod'), 'module example\n\ngo 1.26.8\n');
  await writeFile(join(folder, 'go.sum'), sums);
  return folder;
}

export interface FakeGo {
  version?: string;
  serverVersion?: string;
  afterwards?: string;
}

export function aGo(
  path: string,
  { version = '1.26.8', serverVersion = '1.32.0', afterwards = '' }: FakeGo = {},
) {
  return aProgram(
    path,
    `if [ "$1" = version ]; then echo 'go version go${version} linux/amd64'; exit; fi
echo build >> '${path}.builds'
while [ "$1" != -o ]; do shift; done
printf '%s\\n' '#!/bin/sh' "echo 'temporal version 0.0.0-DEV (Server ${serverVersion}, UI 2.50.1)'" > "$2"
chmod +x "$2"
${afterwards}`,
  );
}
