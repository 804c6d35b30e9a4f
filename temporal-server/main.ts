// `npm run temporal`: one Temporal server with its UI and a database file, until Ctrl-C.
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findPackageRoot } from './binary/cache.js';
import { parseCommand, USAGE, type Command } from './command.js';
import { readTemporalEnvironment } from './config.js';
import { describeExit } from './detached.js';
import { resolveTemporal, type TemporalBinary } from './binary/resolve.js';
import { startTemporal, type RunningTemporal } from './start.js';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ABORTED = 130;
const HOW = {
  TEMPORAL_CLI_PATH: 'from TEMPORAL_CLI_PATH',
  cache: 'from the cache',
} as const;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

let running: RunningTemporal | undefined;
let isStopping = false;

async function stopOnSignal(): Promise<void> {
  if (isStopping) return; // Ctrl-C arrives twice: from the terminal, and forwarded by tsx.
  isStopping = true;
  if (running === undefined) process.exit(ABORTED);
  process.stderr.write('Stopping Temporal. Its database is kept.\n');
  await running.stop();
}

async function findBinary(): Promise<TemporalBinary> {
  const resolved = await resolveTemporal(readTemporalEnvironment());
  if (resolved.kind === 'binary') return resolved;
  throw new Error(
    `TEMPORAL_ADDRESS is set, so all commands use the server at ${resolved.address} and none is started. ` +
      'Unset it to start a local one.',
  );
}

async function serve(binary: TemporalBinary, command: Command): Promise<void> {
  const { port, uiPort, uiCodecEndpoint, isFresh } = command;
  const dbFilename = join(findPackageRoot(), '.data', 'temporal.db');
  // SQLite's log contains changes not yet in the database file. Neither is usable alone.
  if (isFresh)
    await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${dbFilename}${end}`, { force: true })));
  running = await startTemporal({
    path: binary.path,
    port,
    uiPort,
    uiCodecEndpoint,
    dbFilename,
    onOutput: (line) => void (isStopping || process.stderr.write(`${line}\n`)),
  });
  print(`Temporal ${binary.version} is running. Press Ctrl-C to stop it.`);
  print(`  address   ${running.address}`);
  print(`  UI        ${running.uiAddress ?? 'none'}`);
  print(`  database  ${relative(process.cwd(), dbFilename)} (--fresh starts an empty one)`);
  const exit = await running.exited;
  if (!isStopping) throw new Error(`Temporal stopped unexpectedly (${describeExit(exit)})`);
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2));
  if (command.wantsHelp) return print(USAGE);
  for (const signal of STOP_SIGNALS) process.on(signal, () => void stopOnSignal());
  const binary = await findBinary();
  process.stderr.write(`Temporal server ${binary.version}, ${HOW[binary.origin]}: ${binary.path}\n`);
  if (command.isFetchOnly) return print(binary.path);
  await serve(binary, command);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
