// Whether a port is free, asked before a server is started on it.
import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/**
 * Throws an error that names the port when it is taken. Asked here because a foreign Temporal on that port would
 * answer our health check, and pass for the server that has just failed to start.
 */
export async function requireFreePort(port: number, purpose: string): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: LOOPBACK }, resolve);
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Port ${port} cannot be used for ${purpose}: ${why}`, { cause: error });
  } finally {
    server.close();
  }
}
