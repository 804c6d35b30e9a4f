// A port for a process that starts a little later.
import { randomInt } from 'node:crypto';
import getPort from 'get-port';

export const LOOPBACK = '127.0.0.1';
/** Below the range for outgoing connections (from 32,768 on), so that no connection takes the port before we listen. */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 20;

/** A free port. Only a process that uses this function is likely to take it before we listen. */
export const freePort = (): Promise<number> =>
  getPort({ host: LOOPBACK, port: Array.from({ length: TRIES }, () => randomInt(PORTS.from, PORTS.to)) });
