// `npm run bench:bundle`: the size of our workflows compared with an empty one, both measured now, on this machine.
// Bundle: the bytes without source map that exceed the empty bundle, with a limit per workflow
// (docs/decisions/0017-the-bundle-is-not-minified.md). Heap: the memory of a cached run after garbage collection; ours are idle
// active agreements. Medians of three processes each (bench/bundle/cached-runs.ts). Exits with 1 above a limit.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { bundleWorkflows } from '../worker/workflow-code.js';
import * as stories from '../workflows/index.js';
import { judge, median } from './figures.js';
import { withTemporal } from './temporal.js';

/** Our bytes per workflow, and our heap relative to the empty one's. */
const LIMITS = { bytesEach: 25_500, heap: 1.5 };
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
  const heaps = await withTemporal((address) => heapPerRun(address, { ours: OURS, empty }));
  judgeBytes(sizes);
  compare(`heap per cached run (${RUNS} runs, median of ${TIMES.length})`, heaps, LIMITS.heap);
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Pair {
  ours: number;
  empty: number;
}

/** Built like ours. Only ours benefits from the merging of modules, because the empty one has a single module. */
async function bundleEmpty(): Promise<string> {
  const { code } = await bundleWorkflows(join(ROOT, 'bench', 'bundle', 'empty-workflow.ts'));
  return code;
}

/** Bytes of the code itself. The map is the last line, but other lines may mention one. */
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

function judgeBytes(sizes: Pair): void {
  const own = sizes.ours - sizes.empty;
  const workflows = Object.keys(stories).length;
  compare('bundle without source map', sizes);
  judge({
    what: `our bytes for each of ${workflows} workflows (${own} in total)`,
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
