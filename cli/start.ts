// `npm start`: runs PostgreSQL, Temporal, sandbox, worker and API in one terminal until Ctrl-C.
import { relative, resolve } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { findPackageRoot } from '../temporal-server/binary/cache.js';
import { readStartConfig, type StartConfig } from './config.js';
import { createProcessGroup, Interrupted, onInterrupt, type ProcessGroup } from './stack/process-group.js';
import { dataFolder, forget, occupy, type DataFolder } from './stack/data-folder.js';
import { greet } from './greeting.js';
import { requireFreePorts, wantedPorts } from './stack/ports.js';
import { storedSecrets } from './stack/secrets.js';
import { bringUp, type ProcessName } from './stack/bring-up.js';
import { announced } from './api/waiting.js';
import type { Wiring } from './stack/wiring.js';

const COLOURS = {
  records: 'blue',
  temporal: 'magenta',
  sandbox: 'yellow',
  worker: 'cyan',
  api: 'green',
} as const;
const NAME_WIDTH = 8;

const USAGE = `npm start -- [options]

Starts PostgreSQL, Temporal with its UI, the sandbox (a simulated provider), the worker and the API, and prints their
addresses.
Ctrl-C stops them all. Their data is stored in .data between runs.

  --fresh          first delete all stored data: agreements, the sandbox's data, and the development secrets
  --data <folder>  store the data there instead of in .data
  --help           show this text

API_PORT (8080), ADMIN_PORT (8081), SANDBOX_PORT (8090), METRICS_PORT (9464), RECORDS_PORT (5433), TEMPORAL_PORT (7233) and TEMPORAL_UI_PORT
(8233) change the ports. With TEMPORAL_ADDRESS or RECORDS_URL it uses that server and starts none. With PAYMENTS_API_URL
it uses that provider and starts no sandbox.`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function parseOptions(): { isFresh: boolean; wantsHelp: boolean; data: string | undefined } {
  const options = {
    fresh: { type: 'boolean' },
    help: { type: 'boolean' },
    data: { type: 'string' },
  } as const;
  const { values } = parseArgs({ options });
  return { isFresh: values.fresh === true, wantsHelp: values.help === true, data: values.data };
}

/** `name     | line`: the processes share one terminal, each in its own colour if colours are enabled. */
function prefixed(name: ProcessName, line: string, hasColour: boolean): string {
  const padded = name.padEnd(NAME_WIDTH);
  return `${hasColour ? styleText(COLOURS[name], padded) : padded} | ${line}`;
}

async function wire(config: StartConfig, folder: DataFolder): Promise<Wiring> {
  const { secrets, isNew } = await storedSecrets(folder.secrets);
  const file = relative(process.cwd(), folder.secrets);
  print(isNew ? `Created development secrets in ${file}.` : `Development secrets: ${file}`);
  const { TEMPORAL_PORT: port, TEMPORAL_UI_PORT: uiPort } = config;
  return {
    root: findPackageRoot(),
    variables: config.variables,
    secrets,
    ports: { api: config.API_PORT, admin: config.ADMIN_PORT, metrics: config.METRICS_PORT },
    records:
      config.RECORDS_URL === undefined
        ? { port: config.RECORDS_PORT, folder: folder.records, isDisposable: false }
        : undefined,
    temporal:
      config.TEMPORAL_ADDRESS === undefined ? { port, uiPort, dbFilename: folder.temporal } : undefined,
    sandbox:
      config.PAYMENTS_API_URL === undefined
        ? { port: config.SANDBOX_PORT, dataFile: folder.sandbox }
        : undefined,
  };
}

async function run(config: StartConfig, group: ProcessGroup, wiring: Wiring): Promise<void> {
  const hasColour = config.hasColour && process.stdout.isTTY;
  const stack = await bringUp(wiring, {
    group,
    print,
    onLine: (name, line) => print(prefixed(name, line, hasColour)),
  });
  const greeting = await announced(print, 'waiting for the first connection', () =>
    group.guard(greet(stack, wiring, group.signal)),
  );
  print(greeting);
  await group.trouble();
}

async function main(): Promise<void> {
  const { isFresh, wantsHelp, data } = parseOptions();
  if (wantsHelp) return print(USAGE);
  const config = readStartConfig();
  const folder = dataFolder(resolve(data ?? `${findPackageRoot()}/.data`));
  const group = createProcessGroup(print);
  onInterrupt(group);
  await requireFreePorts(wantedPorts(config));
  const leave = await occupy(folder);
  try {
    if (isFresh) await forget(folder);
    await run(config, group, await wire(config, folder));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    await group.stop();
    await leave();
  }
  print('Stopped. The data is kept for the next run.');
}

main().then(
  () => process.exit(0), // A pending build of Temporal must not keep this process alive.
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
