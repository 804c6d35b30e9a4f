// Answers that are read and written part by part, so that their size does not matter.
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { traceOf, type Logger } from '../../telemetry/logger.js';
import { csvOf, type CsvRow } from './csv.js';
import type { Env } from './env.js';

export const LINES = 'application/x-ndjson';

/** How a reader of CSV recognises a whole answer. For the descriptions of operations. */
export const CSV_END =
  'Its last row begins with `end` and the number of rows between the header and it. Without that row, the response is incomplete.';
/** How a reader of JSON lines recognises a whole answer. For the descriptions of operations. */
export const LINES_END =
  'The last line is `{"end":true,"lines":n}`, with the number of lines before it. Without that line, the response is incomplete.';

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

/**
 * CSV in parts: the header, all rows, and the row that ends the answer (`CSV_END`). A proxy may hide that the connection was cut off.
 * @param columns at least two. The first one never has the value `end` in a row of data.
 */
export async function* csvParts(
  columns: readonly string[],
  pages: AsyncIterable<readonly CsvRow[]>,
): AsyncGenerator<string> {
  const [first = '', second = ''] = columns;
  let count = 0;
  yield csvOf(columns, []);
  for await (const rows of pages) {
    count += rows.length;
    yield csvOf(columns, rows, false);
  }
  yield csvOf(columns, [{ [first]: 'end', [second]: count }], false);
}

/** JSON lines in parts: a line for each object, and the line that ends the answer (`LINES_END`). */
export async function* jsonLines(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let lines = 0;
  for await (const page of pages) {
    lines += page.length;
    yield page.map((one) => `${JSON.stringify(one)}\n`).join('');
  }
  yield `${JSON.stringify({ end: true, lines })}\n`;
}
