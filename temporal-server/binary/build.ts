// Builds the Temporal CLI with its server from the Go module in temporal-server/ into the cache.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { BINARY_SUFFIX } from './cache.js';
import { takeLock } from '../lock.js';
import { type OnProgress, withProgress } from './progress.js';

/** Go's keyword for the tool in go.mod. */
const PACKAGE = 'tool';
const PATIENCE = 'the first build usually takes 3 to 7 minutes, longer on a slow machine';
/** No implicit toolchain download, no workspace, and no C compiler. */
const GO_ENVIRONMENT = { GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOWORK: 'off' };
const MOST_LINES = 15;

export interface BuildOptions {
  moduleFolder: string;
  /** The target path. The binary appears there complete or not at all. */
  binaryPath: string;
  onProgress: OnProgress;
  /** The Go command. */
  go?: string;
}

/** Builds the binary, or waits for another process that builds it. Throws an error with the remedy on failure. */
export async function buildTemporal(options: BuildOptions): Promise<void> {
  const { moduleFolder, binaryPath, onProgress, go = 'go' } = options;
  const hadBinary = existsSync(binaryPath);
  const goVersion = await requireGo(go, moduleFolder);
  await mkdir(dirname(binaryPath), { recursive: true });
  const release = await withProgress(
    onProgress,
    (elapsed) => `${elapsed} waiting for another process that builds the Temporal server (${PATIENCE})`,
    () => takeLock(`${binaryPath}.lock`),
  );
  try {
    // If a binary already existed, it was unsuitable, so we build anyway.
    if (!hadBinary && existsSync(binaryPath)) return;
    onProgress(`Building the Temporal server with Go ${goVersion} into ${binaryPath}: ${PATIENCE}.`);
    await compile({ moduleFolder, binaryPath, onProgress, go });
  } finally {
    release();
  }
}

async function compile({ moduleFolder, binaryPath, onProgress, go }: Required<BuildOptions>): Promise<void> {
  await removeHalfBuilt(binaryPath);
  const partial = `${binaryPath}.partial-${randomUUID().slice(0, 8)}${BINARY_SUFFIX}`;
  const flags = ['-v', '-trimpath', '-buildvcs=false', '-mod=readonly', '-o', partial];
  const compiling = execa(go, ['build', ...flags, PACKAGE], {
    cwd: moduleFolder,
    env: GO_ENVIRONMENT,
    stdin: 'ignore',
    stdout: 'ignore',
    reject: false,
  });
  const progress = { compiled: 0, downloaded: 0, last: 'starting' };
  createInterface({ input: compiling.stderr }).on('line', (line) => {
    if (line.startsWith('go: downloading ')) progress.downloaded += 1;
    else if (!line.includes(' ')) progress.compiled += 1;
    progress.last = line;
  });
  const describe = (elapsed: string): string =>
    `${elapsed} building the Temporal server: ${progress.downloaded} modules downloaded, ` +
    `${progress.compiled} packages compiled, now ${progress.last}`;
  try {
    const result = await withProgress(onProgress, describe, () => compiling);
    if (result.failed) throw new Error(`go build failed in ${moduleFolder}: ${lastLines(result.stderr)}`);
    await rename(partial, binaryPath);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Deletes the 200 MB of a killed build, which no later build would use. */
async function removeHalfBuilt(binaryPath: string): Promise<void> {
  const folder = dirname(binaryPath);
  const left = (await readdir(folder)).filter((name) => name.startsWith(`${basename(binaryPath)}.partial-`));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

async function requireGo(go: string, moduleFolder: string): Promise<string> {
  const needed = /^go (?<version>\S+)/m.exec(await readFile(join(moduleFolder, 'go.mod'), 'utf8'))?.groups?.[
    'version'
  ];
  if (needed === undefined) throw new Error(`${join(moduleFolder, 'go.mod')} contains no Go version`);
  const remedy = `install Go ${needed} or newer and put it in PATH`;
  const result = await execa(go, ['version'], { env: GO_ENVIRONMENT, stdin: 'ignore', reject: false });
  if (result.failed)
    throw new Error(`Go is not installed (${result.originalMessage ?? result.shortMessage}); ${remedy}`);
  const found = /\bgo(?<version>\d+\.\d+(\.\d+)?)/.exec(result.stdout)?.groups?.['version'];
  if (found === undefined)
    throw new Error(`"${go} version" printed "${result.stdout}" without a version; ${remedy}`);
  const isEnough = found.localeCompare(needed, 'en', { numeric: true }) >= 0;
  if (!isEnough) throw new Error(`Go ${found} is installed, but ${needed} or newer is required; ${remedy}`);
  return found;
}

/** Drops the names of compiled packages, which are the only lines without a space. */
function lastLines(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.includes(' '))
    .slice(-MOST_LINES)
    .join('\n');
}
