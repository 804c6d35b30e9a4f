// The sandbox as a process: reads its configuration, starts, and shuts down on a signal.
import { ConfigError, readConfig } from './config.js';
import { startSandbox } from './start.js';

try {
  const sandbox = await startSandbox(readConfig());
  // The parent process reads the first line to learn that the sandbox is ready. The other lines are for people.
  console.log(`sandbox listening on ${sandbox.url}`);
  console.log(sandbox.greeting);
  // A terminal and a parent process may both send a signal. The second one does not interrupt the shutdown.
  const stop = (): void => void sandbox.close();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof ConfigError ? error.message : `sandbox start failed: ${error.message}`);
  process.exitCode = 1;
}
