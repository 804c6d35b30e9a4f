import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';

test('ports differ, are free, and are taken from every other process that draws one', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, freePort));
  expect(new Set(ports).size).toBe(200);
  const [port = 0] = ports;
  const server = createServer().listen(port, LOOPBACK);
  await once(server, 'listening');
  server.close();
  const other = createSocket('udp4');
  other.bind({ address: LOOPBACK, port, exclusive: true });
  const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('EADDRINUSE');
  other.close();
});
