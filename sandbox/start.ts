// Starts a sandbox in this process, for `main.ts` and for tests.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.js';
import { SandboxConfig } from './config.js';
import { type Control, createControl } from './control/create.js';
import { createEngine, type Engine } from './engine/parts.js';
import { keepSaved, loadDocument } from './store/persistence.js';
import { runTask } from './tasks.js';

const LAST_ANSWERS_MS = 2000;

/** Omitted settings have the defaults of `config.ts`, except that the port is any free one. */
export type SandboxOptions = Partial<SandboxConfig>;

export interface RunningSandbox {
  /** Without a trailing slash. */
  url: string;
  /** Information for the operator. Contains no secrets. */
  greeting: string;
  /** The control API as functions. */
  control: Control;
  /** Shuts down in order and saves unsaved data. Can be called more than once. */
  close(): Promise<void>;
}

/** Resolves when the sandbox accepts calls. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const config = SandboxConfig.parse({ port: 0, ...options });
  const document = config.dataFile === null ? undefined : await loadDocument(config.dataFile);
  const engine = createEngine({ ...config, baseUrl: '' }, document);
  const { settings } = engine;
  const control = createControl(engine);
  const server = createServer();
  const listener = getRequestListener(createApp(engine, control).fetch);
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
  settings.baseUrl = await listen(server, config);
  const saving = config.dataFile === null ? undefined : keepSaved(engine.store, config.dataFile);
  engine.webhooks.resume();
  engine.scheduler.start({
    run: (task) => {
      runTask(engine, task);
    },
    settled: () => engine.webhooks.idle(),
  });
  async function stop(): Promise<void> {
    await closeServer(server);
    engine.scheduler.stop();
    await engine.webhooks.stop();
    await saving?.close();
  }
  let stopped: Promise<void> | undefined;
  const close = (): Promise<void> => (stopped ??= stop());
  return { url: settings.baseUrl, greeting: greetingOf(engine), control, close };
}

function greetingOf({ settings, faults }: Engine): string {
  return [
    `sandbox page (act as the payer, advance the clock, add faults): ${settings.baseUrl}/`,
    `sandbox webhook URL: ${settings.webhookUrl}`,
    `sandbox client id: ${settings.clientId}, redirect URI: ${settings.redirectUri}`,
    `sandbox fault seed: ${faults.seed()}`,
  ].join('\n');
}

async function listen(server: Server, { host, port }: SandboxConfig): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  // If it binds to every address, the URL uses the local one.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${boundPort}`;
}

/** Finishes the calls in progress, then closes idle connections. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const impatience = setTimeout(() => {
    server.closeAllConnections();
  }, LAST_ANSWERS_MS);
  await closed;
  clearTimeout(impatience);
}
