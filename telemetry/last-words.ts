// What nobody foresaw ends the process, as nobody knows what state it is in; and is logged like everything else, without its
// message. Node itself would print that, and whatever it quotes.
// In:  worker/main.ts and api/main.ts, before anything else. Out: telemetry/logger.ts.
import { traceOf } from './logger.js';
import type { Logger } from './logger.js';

/** Logs what is thrown where nobody catches it, rejections included, and ends the process with exit code 1. */
export function stopOnUnforeseen(log: Logger): void {
  const stop = (error: unknown): void => {
    log.error('unforeseen error, the process stops', traceOf(error));
    process.exit(1);
  };
  process.on('uncaughtException', stop).on('unhandledRejection', stop);
}
