// Answers that are read and written part by part, so that their size does not matter.
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { traceOf } from '../../telemetry/logger.js';
import type { Logger } from '../../telemetry/logger.js';
import type { Env } from './env.js';

/** If a part cannot be read, the connection is cut off, so that its caller does not take the answer for whole. */
export const streamed = (c: Context<Env>, log: Logger, parts: AsyncIterable<string>): Response =>
  c.body(Readable.toWeb(Readable.from(bytesOf(parts, log), { objectMode: false })) as ReadableStream);

async function* bytesOf(parts: AsyncIterable<string>, log: Logger): AsyncGenerator<Buffer> {
  try {
    for await (const part of parts) yield Buffer.from(part);
  } catch (error) {
    log.error('a long answer was cut off', traceOf(error));
    throw error;
  }
}
