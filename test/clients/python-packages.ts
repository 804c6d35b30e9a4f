// Packages of Python in a folder of their own under .data/.
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

const ROOT = join(import.meta.dirname, '..', '..');
const OLDEST = '3.11';
/** The virtual environment module is not needed: Debian has it in a package of its own. */
const INSTALL = ['-m', 'pip', 'install', '--no-input', '--no-deps', '--only-binary=:all:', '--quiet'];
const ENVIRONMENT = { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_ROOT_USER_ACTION: 'ignore', PIP_USER: '0' };

/** Why this machine cannot run the packages; undefined if it can. */
export async function lackOfPython(): Promise<string | undefined> {
  const check = `import sys, pip; sys.exit(sys.version_info < (${OLDEST.replace('.', ', ')}))`;
  const { failed } = await execa('python3', ['-c', check], { reject: false });
  return failed ? `Python ${OLDEST} or newer with pip is not installed` : undefined;
}

/** Installs the pinned packages unless they are installed, and returns their folder for PYTHONPATH. */
export async function pythonPackages(requirements: string): Promise<string> {
  const pinned = await readFile(requirements);
  const { stdout: version } = await execa('python3', ['--version']);
  const digest = createHash('sha256').update(pinned).update(version).digest('hex').slice(0, 16);
  const folder = join(ROOT, '.data', 'python', digest);
  if (await exists(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  await execa('python3', [...INSTALL, '--target', partial, '--requirement', requirements], {
    env: ENVIRONMENT,
  });
  await rename(partial, folder).catch(async (error: unknown) => {
    await rm(partial, { recursive: true });
    if (!(await exists(folder))) throw error; // Otherwise another process was faster.
  });
  return folder;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
