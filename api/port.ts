// Opens an HTTP port with limits that slow, broken or too many requests of strangers cannot exceed.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { traceOf } from '../telemetry/logger.js';
import { ConfigError } from '../settings/read.js';
import type { Router } from './http/env.js';
import { boundSockets } from './sockets.js';

export const LIMITS = {
  /** Until the last header has arrived, in milliseconds. */
  headersTimeout: 5000,
  /** Until the last byte of the body has arrived. */
  requestTimeout: 10_000,
  /** Longer than the idle time of proxies (60 s with nginx and AWS), so that none sends a request into a closing connection. */
  keepAliveTimeout: 75_000,
  /** The longest request line with all headers, in bytes: `metadata_value` has up to 2,048 characters, of 9 to 12 bytes each. */
  maxHeaderSize: 40 * 1024,
  /** How often these times are checked. */
  connectionsCheckingInterval: 1000,
} as const;

/** More than the requests that may wait for an outcome (api/http/wait-limiter.ts). Further connections are closed. */
const MOST_CONNECTIONS = 5000;

interface Port {
  app: Router;
  host: string;
  port: number;
  /** The prefix of the variables that are blamed if the port does not open: API or ADMIN. */
  variable: 'API' | 'ADMIN';
  /** Bounds the connections of one address. */
  perAddress?: Parameters<typeof boundSockets>[1];
  limits?: Partial<Record<keyof typeof LIMITS, number>>;
}

/** Resolves once the port is open. @throws ConfigError that blames the host's variable or the port's. */
export async function openPort({
  app,
  host,
  port,
  variable,
  limits = {},
  perAddress,
}: Port): Promise<Server> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { ...LIMITS, ...limits },
  }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  if (perAddress !== undefined) boundSockets(server, perAddress);
  // The provider takes any answer to a webhook for its receipt, so a request that has not arrived whole gets none.
  server.on('clientError', (_, socket) => socket.destroy());
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const { error_code: code = 'an error' } = traceOf(error);
    const problem =
      code === 'EADDRINUSE' || code === 'EACCES'
        ? `${variable}_PORT: expected a free port on ${host}`
        : `${variable}_HOST: expected an address of this machine`;
    throw new ConfigError([`${problem}; listening failed with ${code}`]);
  }
  return server;
}
