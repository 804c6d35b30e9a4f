// `npm run bench:bundle`: what our workflows weigh against an empty one, both measured now, on this machine.
// Of the bundle, without its source map, what the empty one has not is ours: limited for each workflow that is in it, since each is a
// workflow of its own (docs/decisions/0017-the-bundle-is-not-minified.md). Heap is what a cached run adds to it after garbage collection,
// ours being agreements at rest in state active. Medians of three processes each (bench/bundle/cached-runs.ts). Over a limit: exit 1.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { readTemporalEnvironment } from '../temporal-server/config.js';
import { freePort } from '../temporal-server/free-port.js';
import { printProgress } from '../temporal-server/binary/progress.js';
import { resolveTemporal } from '../temporal-server/binary/resolve.js';
import { startTemporal } from '../temporal-server/start.js';
import { bundleWorkflows } from '../worker/workflow-code.js';
import * as stories from '../workflows/index.js';
import { judge, median } from './figures.js';

/** Bytes of ours for each workflow; what ours is at most of the empty one's heap. */
const LIMITS = { bytesEach: 24_000, heap: 1.5 };
const RUNS = 200;
const TIMES = [1, 2, 3];
const ROOT = join(import.meta.dirname, '..');
const OURS = join(ROOT, 'dist', 'workflow-bundle.js');

await execa('npm', ['run', '--silent', 'build', '--', '--if-stale'], { cwd: ROOT, stdio: 'inherit' });
const folder = await mkdtemp(join(tmpdir(), 'payto-bench-'));
try {
  const empty = join(folder, 'empty-bundle.js');
  await writeFile(empty, await bundleEmpty());
  const sizes = { ours: bare(await readFile(OURS, 'utf8')), empty: bare(await readFile(empty, 'utf8')) };
  const heaps = await withServer((address) => heapPerRun(address, { ours: OURS, empty }));
  judgeBytes(sizes);
  compare(`heap per cached run (${RUNS} runs, median of ${TIMES.length})`, heaps, LIMITS.heap);
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Pair {
  ours: number;
  empty: number;
}

/** As ours is made. Of what the build gives, the merging of modules spares ours alone: it has more than one. */
async function bundleEmpty(): Promise<string> {
  const { code } = await bundleWorkflows(join(ROOT, 'bench', 'bundle', 'empty-workflow.ts'));
  return code;
}

/** Bytes of the code itself. The map is the last line, and other lines can mention one. */
function bare(code: string): number {
  const map = code.lastIndexOf('\n//# sourceMappingURL=');
  if (map === -1) throw new Error('expected a bundle with an inline source map');
  return Buffer.byteLength(code.slice(0, map));
}

async function heapPerRun(address: string, bundles: { ours: string; empty: string }): Promise<Pair> {
  const measured: { ours: number[]; empty: number[] } = { ours: [], empty: [] };
  for (const time of TIMES) {
    for (const kind of ['empty', 'ours'] as const) {
      const args = [
        join(ROOT, 'bench', 'bundle', 'cached-runs.ts'),
        kind,
        bundles[kind],
        address,
        String(RUNS),
      ];
      const { stdout } = await execa(process.execPath, ['--expose-gc', '--import', 'tsx', ...args], {
        cwd: ROOT,
      });
      measured[kind].push(Number(stdout));
      console.log(`measurement ${time}: ${kind} ${stdout} bytes of heap per cached run`);
    }
  }
  return { ours: median(measured.ours), empty: median(measured.empty) };
}

async function withServer<T>(work: (address: string) => Promise<T>): Promise<T> {
  const found = await resolveTemporal(readTemporalEnvironment(), { onProgress: printProgress });
  if (found.kind === 'external') return work(found.address);
  const server = await startTemporal({ path: found.path, port: await freePort(), logLevel: 'error' });
  try {
    return await work(server.address);
  } finally {
    await server.stop();
  }
}

function judgeBytes(sizes: Pair): void {
  const own = sizes.ours - sizes.empty;
  const workflows = Object.keys(stories).length;
  compare('bundle without source map', sizes);
  judge({
    what: `bytes of ours for each of ${workflows} workflows (${own} in all)`,
    met: Math.round(own / workflows),
    limit: LIMITS.bytesEach,
  });
}

function compare(what: string, { ours, empty }: Pair, limit?: number): void {
  judge({
    what: `${what}: ours ${ours}, empty ${empty} (bytes), ratio`,
    met: Math.round((100 * ours) / empty) / 100,
    ...(limit !== undefined && { limit }),
  });
}
