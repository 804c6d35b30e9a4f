// The command line of `npm run temporal --`.
import { parseArgs } from 'node:util';

export const USAGE = `npm run temporal -- [options]

Starts a Temporal server on 127.0.0.1 with its UI and the database .data/temporal.db.

  --port <port>                     port for clients and workers (7233)
  --ui-port <port>                  port of the UI (8233)
  --ui-codec-endpoint <url>         codec server of the UI
  --fresh                           start with an empty database
  --fetch-only                      find or fetch the server and print its path, without starting it
  --help                            show this text

Set TEMPORAL_CLI_PATH to use an existing Temporal CLI instead of fetching one.`;

export interface Command {
  port: number;
  uiPort: number;
  uiCodecEndpoint: string | undefined;
  isFresh: boolean;
  isFetchOnly: boolean;
  wantsHelp: boolean;
}

/** Throws one line with the expectation. */
export function parseCommand(words: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...words],
    options: {
      port: { type: 'string', default: '7233' },
      'ui-port': { type: 'string', default: '8233' },
      'ui-codec-endpoint': { type: 'string' },
      fresh: { type: 'boolean', default: false },
      'fetch-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    port: parsePort('--port', values.port),
    uiPort: parsePort('--ui-port', values['ui-port']),
    uiCodecEndpoint: values['ui-codec-endpoint'],
    isFresh: values.fresh,
    isFetchOnly: values['fetch-only'],
    wantsHelp: values.help,
  };
}

function parsePort(option: string, value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${option}: expected a port from 1 to 65535, received "${value}"`);
}
