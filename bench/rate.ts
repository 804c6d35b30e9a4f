// `npm run bench:rate`: lives of agreements per second, and the CPU of each, of the built product and of workflows written by hand, on
// one Temporal server. All candidates take turns, so that a busy machine disturbs them equally. Its ratios matter, not its seconds.
// Exits with 1 if a life or a workflow task fails. The aims are printed beside the figures, and not judged.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createProcessGroup, onInterrupt } from '../cli/stack/process-group.js';
import { forgetPostgres } from '../postgres-server/start.js';
import { startComparisons } from './rate/comparisons.js';
import { runLeg, type Candidate, type LegResult } from './rate/leg.js';
import { parseOptions, USAGE, type LegName, type Options } from './rate/options.js';
import { startProduct, type Product } from './rate/product.js';
import { mostExpensive, readProfiles } from './rate/profile.js';
import { startServer, type RateServer } from './rate/server.js';
import { printRatios, printTable } from './rate/table.js';

const ROOT = join(import.meta.dirname, '..');
const MOST_EXPENSIVE = 10;
const print = (line: string): void => console.log(`  … ${line}`);

const options = parseOptions(process.argv.slice(2));
if (options.wantsHelp) console.log(USAGE);
else await main(options);

async function main(options: Options): Promise<void> {
  await execa('npm', ['run', '--silent', 'build', '--', '--if-stale'], { cwd: ROOT, stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'payto-rate-'));
  const group = createProcessGroup(print, { isTerse: true });
  onInterrupt(group);
  const profiles = options.isProfiled ? join(ROOT, '.data', 'profiles') : undefined;
  try {
    const server = await startServer({
      group,
      folder,
      namespaces: options.legs,
      store: options.store,
      print,
    });
    const { candidates, close } = await startCandidates(options, { group, folder, server, profiles });
    const results = await group.guard(measure(server, candidates, options));
    close();
    await server.close();
    await group.stop();
    console.log(printTable(results));
    for (const line of printRatios(results)) console.log(line);
    judgeFailures(results);
    const worker = candidates.find(({ name }) => name === 'product')?.pids.worker;
    if (profiles !== undefined && worker !== undefined) await printProfile(profiles, worker);
  } finally {
    await group.stop();
    for (const name of ['server', ...options.legs]) await forgetPostgres(join(folder, name, 'records'));
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  group: ReturnType<typeof createProcessGroup>;
  folder: string;
  server: RateServer;
  profiles: string | undefined;
}

async function startCandidates({ legs, other }: Options, { group, folder, server, profiles }: Place) {
  const temporalAddress = server.address;
  const common = { group, folder, temporalAddress, print };
  const products: Product[] = [];
  if (profiles !== undefined) await mkdir(profiles, { recursive: true });
  if (legs.includes('product'))
    products.push(await startProduct({ ...common, name: 'product', root: ROOT, profiles }));
  if (legs.includes('other') && other !== undefined)
    products.push(await startProduct({ ...common, name: 'other', root: other }));
  const names = legs.filter((name) => name !== 'product' && name !== 'other');
  const comparisons =
    names.length === 0 ? undefined : await startComparisons({ ...common, root: ROOT, names });
  const close = (): void => [...products, comparisons].forEach((one) => one?.close());
  return { candidates: [...products, ...(comparisons?.candidates ?? [])], close };
}

/** First a short leg of each, so that all code is compiled; then all pairs. */
async function measure(server: RateServer, candidates: readonly Candidate[], options: Options) {
  const { lives, pairs, inFlight } = options;
  const results = new Map<LegName, LegResult[]>(candidates.map(({ name }) => [name, []]));
  for (const candidate of candidates)
    await runLeg(server, candidate, { label: `${candidate.name} warm-up`, lives: inFlight, inFlight, print });
  for (let pair = 1; pair <= pairs; pair += 1)
    for (const candidate of candidates) {
      const label = `${candidate.name} ${pair} of ${pairs}`;
      const result = await runLeg(server, candidate, { label, lives, inFlight, print });
      print(
        `${label}: ${result.livesPerSecond.toFixed(2)} lives/s, ${result.countedCpuMs.toFixed(0)} ms CPU a life`,
      );
      results.get(candidate.name)?.push(result);
    }
  return results;
}

/** Sets the exit code. */
function judgeFailures(results: ReadonlyMap<LegName, readonly LegResult[]>): void {
  const all = [...results.values()].flat();
  const sum = (of: (result: LegResult) => number): number => all.reduce((total, leg) => total + of(leg), 0);
  const failed = {
    lives: sum((leg) => leg.failedLives),
    tasks: sum((leg) => leg.failedTasks),
    runs: sum((leg) => leg.failedRuns),
  };
  console.log(
    `failed lives ${failed.lives}, workflow tasks ${failed.tasks}, runs ${failed.runs}; expected none`,
  );
  if (failed.lives + failed.tasks + failed.runs > 0) process.exitCode = 1;
}

async function printProfile(folder: string, pid: number): Promise<void> {
  console.log(`the most expensive functions of the product's worker by self time; profiles are in ${folder}`);
  for (const { what, ms, share } of mostExpensive(await readProfiles(folder, pid), MOST_EXPENSIVE))
    console.log(`${(share * 100).toFixed(1).padStart(5)} % ${ms.toFixed(0).padStart(7)} ms  ${what}`);
}
