// The sandbox as a process: reads its configuration, starts, and stops in reverse order when told to.
import { ConfigError, readConfig } from './config.js';
import { startSandbox } from './start.js';

try {
  const sandbox = await startSandbox(readConfig());
  // The first line says to whoever has started it that it is ready; the others are for people.
  console.log(`sandbox listening on ${sandbox.url}`);
  console.log(sandbox.greeting);
  // Told twice, as a terminal and a parent process may both do, it still ends in order.
  const stop = (): void => void sandbox.close();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof ConfigError ? error.message : `sandbox cannot start: ${error.message}`);
  process.exitCode = 1;
}
