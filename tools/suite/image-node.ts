// `npm run test:long`, second part: runs the unit tier and the replays on the Node of the image (Dockerfile), which is newer than the one
// that most of us develop with. Its binary comes from the package registry.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:process';
import { join } from 'node:path';
import { execa } from 'execa';

const ROOT = join(import.meta.dirname, '..', '..');
const RUNS = [
  ['--project', 'unit'],
  ['--project', 'server', 'test/replay/histories.server.test.ts'],
];

const [, version] =
  /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(await readFile(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
if (version === undefined) throw new Error('Dockerfile: expected ARG NODE_IMAGE=node:<version>-<variant>');
const folder = join(ROOT, '.data', `node-${version}`);
const name = `node-${platform}-${arch}`;
const node = join(folder, 'node_modules', name, 'bin', 'node');
if (!existsSync(node)) {
  console.log(`installing Node ${version} …`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  await execa('npm', ['install', '--no-save', '--prefix', folder, `${name}@${version}`], {
    stdio: 'inherit',
  });
}
for (const words of RUNS) {
  console.log(`Node ${version}: vitest ${words.join(' ')}`);
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const { exitCode } = await execa(node, [vitest, 'run', ...words], {
    cwd: ROOT,
    stdio: 'inherit',
    reject: false,
  });
  if (exitCode !== 0) process.exitCode = 1;
}
