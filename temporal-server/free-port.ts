// A port for a process that starts a little later.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import getPort from 'get-port';

export const LOOPBACK = '127.0.0.1';
/** Below the range for outgoing connections (from 32,768 on), so that no connection takes the port before we listen. */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 100;

/**
 * A free port. No other process that uses this function gets it while this process runs.
 * @throws Error if no port is free after many tries.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if ((await isReserved(port)) && (await getPort({ host: LOOPBACK, port })) === port) return port;
  }
  throw new Error(`expected a free port from ${PORTS.from} to ${PORTS.to}; found none in ${TRIES} tries`);
}

/**
 * Takes the UDP port of the same number until the process ends. TCP does not use it, so the port stays free for the process that starts later, and
 * the system releases it in any case.
 */
const isReserved = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ address: LOOPBACK, port, exclusive: true }, () => resolve(true));
  });
