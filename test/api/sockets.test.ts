import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPort } from '../../api/port.js';
import { anApi } from '../support/api/app.js';
import { eventually } from '../support/temporal.js';

async function opened(most: number) {
  const onClosed = vi.fn<(count: number) => void>();
  const sockets: Socket[] = [];
  const server = await openPort({
    ...{ app: anApi().app, host: '127.0.0.1', port: 0, variable: 'API' },
    perAddress: { most, onClosed },
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  return { server, open, onClosed };
}

/** Whether the server answers on it. Otherwise it has closed it. */
async function isServed(socket: Socket): Promise<boolean> {
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  socket.on('error', () => undefined);
  socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  await once(socket, 'close');
  return text.startsWith('HTTP/1.1 200');
}

test('an address has a bounded number of connections, and others still get theirs', async () => {
  const { open, onClosed } = await opened(2);
  const [idle] = [await open(), await open()];
  expect(await isServed(await open())).toBe(false);
  expect(await isServed(await open())).toBe(false);
  expect(onClosed.mock.calls).toEqual([[1]]);
  expect(await isServed(await open('127.0.0.2'))).toBe(true);
  idle?.destroy();
  expect(
    await eventually(
      async () => isServed(await open()),
      (served) => served,
    ),
  ).toBe(true);
});

test('0 is no limit', async () => {
  const { open } = await opened(0);
  const sockets = await Promise.all([open(), open(), open()]);
  expect(await Promise.all(sockets.map(isServed))).toEqual([true, true, true]);
});
