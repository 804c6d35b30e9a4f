// Bounds the connections of one address, so that one stranger cannot occupy all of them and shut out the provider.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './http/rate-limits.js';

const REPORT_EVERY_MS = 60_000;

interface Bound {
  /** Further connections of an address are closed. 0: no limit. */
  most: number;
  /** Called at most once a minute. @param count how many were closed since the last call. */
  onClosed: (count: number) => void;
}

/** Of IPv6, an address is its network (`networkOf`). */
export function boundSockets(server: Server, { most, onClosed }: Bound): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  const report = reporter(onClosed);
  server.on('connection', (socket: Socket) => {
    // A connection that has ended already has no address.
    if (socket.remoteAddress === undefined) return;
    const network = networkOf(socket.remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      report();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

function reporter(onClosed: Bound['onClosed']): () => void {
  let closed = 0;
  let reportedAt = -Infinity;
  return () => {
    closed += 1;
    if (Date.now() < reportedAt + REPORT_EVERY_MS) return;
    onClosed(closed);
    closed = 0;
    reportedAt = Date.now();
  };
}
