import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

export async function listen(): Promise<{ server: Server; url: string }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('expected a port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}
