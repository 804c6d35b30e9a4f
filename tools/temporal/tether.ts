// Ends a detached process when this one is gone, however it went.
import { spawn } from 'node:child_process';

/** Reads until its input ends, which the kernel sees to when we die, and then stops the process it was told of. */
const WATCH = 'read -r _; kill -TERM "$1" 2>/dev/null';

/**
 * Without it a crash, a closed terminal or a SIGKILL of ours would leave a server behind that holds its port and
 * its database file. Call the answer once the process has ended by itself. Windows has no such watcher.
 */
export function tether(pid: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watcher = spawn('sh', ['-c', WATCH, 'temporal-tether', String(pid)], {
    detached: true, // or Ctrl-C would end the watcher first
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => undefined); // no sh: no tether, and the server is still of use
  return () => void watcher.kill('SIGKILL');
}
