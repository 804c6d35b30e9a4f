// A port for a process that is started a little later.
import { randomInt } from 'node:crypto';
import getPort from 'get-port';

export const LOOPBACK = '127.0.0.1';
/** Below what systems give to connections, from 32,768 on: one given to a connection meanwhile could not be listened on. */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 20;

/** A free one, which nothing but a process that asks in the same way is likely to take before it is listened on. */
export const freePort = (): Promise<number> =>
  getPort({ host: LOOPBACK, port: Array.from({ length: TRIES }, () => randomInt(PORTS.from, PORTS.to)) });
