// `npm run build`: empties dist/, generates the client's types, compiles the released rooms, and bundles their workflows once
// for all workers.
// With `--if-stale` it does nothing if dist/ is newer than its inputs.
import { existsSync } from 'node:fs';
import { copyFile, glob, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { takeLock } from '../temporal-server/lock.js';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const BUNDLE = join(DIST, 'workflow-bundle.js');
const PROJECT = 'tsconfig.build.json';
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** The page at /docs (api/routes/operations/read-docs.ts). */
const VIEWER = join(ROOT, 'node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js');
const PAGES = ['docs/*.md', 'client/README.md'];
const INPUTS = [PROJECT, 'tsconfig.json', 'package.json', 'package-lock.json', 'tools/build.ts'];

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } });
await mkdir(join(ROOT, '.data'), { recursive: true });
const release = await takeLock(join(ROOT, '.data', 'build.lock'));
try {
  if (values['if-stale'] && (await isFresh())) console.log('dist/ is up to date');
  else await build();
} catch (error) {
  // A partial build must not look complete: a worker would run outdated workflows.
  await rm(DIST, { recursive: true, force: true });
  console.error(`build failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  release();
}

async function build(): Promise<void> {
  await rm(DIST, { recursive: true, force: true });
  await step('generating types', ['npm', 'run', '--silent', 'generate:types']);
  await step('compiling', [process.execPath, TSC, '-p', PROJECT]);
  await step('describing the client', [process.execPath, TSC, '-p', 'client/tsconfig.json']);
  await step('bundling workflows', [process.execPath, join('dist', 'worker', 'workflow-code.js')]);
  await copyFile(VIEWER, join(DIST, 'docs-page.js'));
  await copyPages();
  console.log(await sizes());
}

/** The pages that the API serves (api/routes/operations/pages.ts). */
async function copyPages(): Promise<void> {
  await mkdir(join(DIST, 'docs'));
  for await (const path of glob(PAGES, { cwd: ROOT })) await copyFile(join(ROOT, path), join(DIST, path));
}

async function step(what: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const startedAtMs = performance.now();
  console.log(`${what} …`);
  const { failed, exitCode } = await execa(program, args, {
    cwd: ROOT,
    stdio: 'inherit',
    reject: false,
  });
  if (failed) throw new Error(`${what} failed with exit code ${exitCode ?? 'unknown'}; see the output above`);
  console.log(`${what} took ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
}

/** True if no input changed since the build. Folders count too, because removing a file changes its folder. */
async function isFresh(): Promise<boolean> {
  if (!existsSync(BUNDLE)) return false;
  const builtAtMs = (await stat(BUNDLE)).mtimeMs;
  const touched = await Promise.all([...INPUTS, ...(await sources())].map((path) => stat(join(ROOT, path))));
  return touched.every(({ mtimeMs }) => mtimeMs < builtAtMs);
}

async function sources(): Promise<string[]> {
  const rooms = [...(await roomsThatShip()), 'docs'];
  const below = rooms.map(async (room) => {
    const names = await readdir(join(ROOT, room), { recursive: true });
    return names.map((name) => join(room, name));
  });
  return [...rooms, ...(await Promise.all(below)).flat()];
}

/** The rooms in the compiler's settings, so that a new room is never missing. */
async function roomsThatShip(): Promise<string[]> {
  const include = /"include": \[(?<rooms>[^\]]+)\]/.exec(await readFile(join(ROOT, PROJECT), 'utf8'));
  const rooms = [...(include?.groups?.['rooms'] ?? '').matchAll(/"([^"]+)"/g)].flatMap(
    ([, room]) => room ?? [],
  );
  if (rooms.length === 0) throw new Error(`${PROJECT}: expected "include" with the names of rooms`);
  return rooms;
}

async function sizes(): Promise<string> {
  const names = await readdir(DIST, { recursive: true });
  const files = await Promise.all(
    names.filter((name) => extname(name) === '.js').map((name) => stat(join(DIST, name))),
  );
  const code = await readFile(BUNDLE, 'utf8');
  const bare = code.lastIndexOf('\n//# sourceMappingURL=');
  return [
    `dist/: ${files.length} files of JavaScript, ${kilobytes(files.reduce((sum, { size }) => sum + size, 0))}`,
    `dist/workflow-bundle.js: ${kilobytes(code.length)}, ${kilobytes(bare)} without its source map`,
  ].join('\n');
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024)} kB`;
}
