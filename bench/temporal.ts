// A Temporal server for a measurement.
import { readTemporalEnvironment } from '../temporal-server/config.js';
import { freePort } from '../temporal-server/free-port.js';
import { printProgress } from '../temporal-server/binary/progress.js';
import { resolveTemporal } from '../temporal-server/binary/resolve.js';
import { startTemporal } from '../temporal-server/start.js';

/** Calls `work` with the address of the server that the environment names, or of a new one, which stops afterwards. */
export async function withTemporal<T>(work: (address: string) => Promise<T>): Promise<T> {
  const found = await resolveTemporal(readTemporalEnvironment(), { onProgress: printProgress });
  if (found.kind === 'external') return work(found.address);
  const server = await startTemporal({ path: found.path, port: await freePort(), logLevel: 'error' });
  try {
    return await work(server.address);
  } finally {
    await server.stop();
  }
}
