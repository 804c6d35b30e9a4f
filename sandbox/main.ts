// The sandbox as a process: reads its configuration, starts, and stops in reverse order on a signal.
import { ConfigError, readConfig } from './config.js';
import { startSandbox } from './start.js';

try {
  const sandbox = await startSandbox(readConfig());
  // The first line says to the process that started it that it is ready; the others are for people.
  console.log(`sandbox listening on ${sandbox.url}`);
  console.log(sandbox.greeting);
  // Signalled twice, as by a terminal and a parent process, it still ends in order.
  const stop = (): void => void sandbox.close();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof ConfigError ? error.message : `sandbox cannot start: ${error.message}`);
  process.exitCode = 1;
}
