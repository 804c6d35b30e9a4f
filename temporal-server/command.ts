// What may be typed after `npm run temporal --`.
import { parseArgs } from 'node:util';

export const USAGE = `npm run temporal -- [options]

Starts a Temporal server on 127.0.0.1 with its UI and the database .data/temporal.db.

  --port <port>                     for clients and workers (7233)
  --ui-port <port>                  for the UI (8233)
  --ui-codec-endpoint <url>         where the UI has payloads decoded
  --fresh                           forget what the database holds
  --build-only                      find or build the server, print its path, start nothing
  --help                            this text

TEMPORAL_CLI_PATH names a Temporal CLI to use instead of building one.`;

export interface Command {
  port: number;
  uiPort: number;
  uiCodecEndpoint: string | undefined;
  isFresh: boolean;
  isBuildOnly: boolean;
  wantsHelp: boolean;
}

/** Throws one line that says what was expected. */
export function parseCommand(words: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...words],
    options: {
      port: { type: 'string', default: '7233' },
      'ui-port': { type: 'string', default: '8233' },
      'ui-codec-endpoint': { type: 'string' },
      fresh: { type: 'boolean', default: false },
      'build-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    port: parsePort('--port', values.port),
    uiPort: parsePort('--ui-port', values['ui-port']),
    uiCodecEndpoint: values['ui-codec-endpoint'],
    isFresh: values.fresh,
    isBuildOnly: values['build-only'],
    wantsHelp: values.help,
  };
}

function parsePort(option: string, value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${option} must be a port from 1 to 65535, not "${value}"`);
}
