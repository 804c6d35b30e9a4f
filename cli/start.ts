// `npm start`: Temporal, sandbox, worker and api in one terminal, until one Ctrl-C.
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findPackageRoot } from '../tools/temporal/cache.js';
import { readStartConfig, type StartConfig } from './config.js';
import { createCrew, Interrupted, type Crew } from './crew.js';
import { dataFolder, forget, occupy, type DataFolder } from './data-folder.js';
import { greet } from './greeting.js';
import { onInterrupt } from './interrupt.js';
import { prefixed } from './paint.js';
import { announced } from './progress.js';
import { requireFreePorts, type WantedPort } from './ports.js';
import { keptSecrets } from './secrets.js';
import { bringUp } from './stack.js';
import type { Wiring } from './wiring.js';

const KILLED = 130;

const USAGE = `npm start -- [options]

Starts Temporal with its UI, the sandbox (the provider, pretended), the worker and the API, and says where each
is. Ctrl-C stops them all. What they know is kept in .data between runs.

  --fresh          forget what was kept: agreements, the sandbox's data, and the development secrets
  --data <folder>  keep it there instead of in .data
  --help           this text

API_PORT (8080), SANDBOX_PORT (8090), METRICS_PORT (9464), TEMPORAL_PORT (7233) and TEMPORAL_UI_PORT (8233) move
things. With TEMPORAL_ADDRESS that server is used and none is started; with PAYMENTS_API_URL that provider is used
and no sandbox is started.`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function parseWords(): { isFresh: boolean; wantsHelp: boolean; data: string | undefined } {
  const options = {
    fresh: { type: 'boolean' },
    help: { type: 'boolean' },
    data: { type: 'string' },
  } as const;
  const { values } = parseArgs({ options });
  return { isFresh: values.fresh === true, wantsHelp: values.help === true, data: values.data };
}

function wantedPorts(config: StartConfig): WantedPort[] {
  const { TEMPORAL_ADDRESS, TEMPORAL_PORT, TEMPORAL_UI_PORT, PAYMENTS_API_URL, SANDBOX_PORT } = config;
  const temporal = [
    { purpose: 'Temporal', port: TEMPORAL_PORT, variable: 'TEMPORAL_PORT' },
    { purpose: "Temporal's UI", port: TEMPORAL_UI_PORT, variable: 'TEMPORAL_UI_PORT' },
  ];
  const sandbox = { purpose: 'the sandbox', port: SANDBOX_PORT, variable: 'SANDBOX_PORT' };
  const metrics = { purpose: "the worker's metrics", port: config.METRICS_PORT, variable: 'METRICS_PORT' };
  return [
    ...(TEMPORAL_ADDRESS === undefined ? temporal : []),
    ...(PAYMENTS_API_URL === undefined ? [sandbox] : []),
    ...(config.METRICS_PORT === 0 ? [] : [metrics]),
    { purpose: 'the API', port: config.API_PORT, variable: 'API_PORT' },
  ];
}

async function wire(config: StartConfig, folder: DataFolder): Promise<Wiring> {
  const { secrets, isNew } = await keptSecrets(folder.secrets);
  const file = relative(process.cwd(), folder.secrets);
  print(
    isNew ? `Made secrets for development; they are kept in ${file}.` : `Secrets for development: ${file}`,
  );
  const { TEMPORAL_PORT: port, TEMPORAL_UI_PORT: uiPort } = config;
  return {
    root: findPackageRoot(),
    variables: config.variables,
    secrets,
    ports: { api: config.API_PORT, metrics: config.METRICS_PORT },
    temporal:
      config.TEMPORAL_ADDRESS === undefined ? { port, uiPort, dbFilename: folder.temporal } : undefined,
    sandbox:
      config.PAYMENTS_API_URL === undefined
        ? { port: config.SANDBOX_PORT, dataFile: folder.sandbox }
        : undefined,
  };
}

async function run(config: StartConfig, crew: Crew, wiring: Wiring): Promise<void> {
  const hasColour = config.hasColour && process.stdout.isTTY;
  const stack = await bringUp(wiring, {
    crew,
    say: print,
    onLine: (name, line) => print(prefixed(name, line, hasColour)),
  });
  const greeting = await announced(print, 'waiting for the first connection', () =>
    crew.guard(greet(stack, wiring, crew.signal)),
  );
  print(greeting);
  await crew.trouble();
}

async function main(): Promise<void> {
  const { isFresh, wantsHelp, data } = parseWords();
  if (wantsHelp) return print(USAGE);
  const config = readStartConfig();
  const folder = dataFolder(resolve(data ?? `${findPackageRoot()}/.data`));
  const crew = createCrew(print);
  onInterrupt({
    first: () => crew.interrupt(),
    second: () => {
      crew.kill();
      process.exit(KILLED);
    },
  });
  await requireFreePorts(wantedPorts(config));
  const leave = await occupy(folder);
  try {
    if (isFresh) await forget(folder);
    await run(config, crew, await wire(config, folder));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    await crew.stop();
    await leave();
  }
  print('Stopped; what they know is kept.');
}

main().then(
  () => process.exit(0), // a build of Temporal that nobody waits for any more must not hold us
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
