// What a command reads from and writes to: the streams of a process, or those of a test.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { homedir } from 'node:os';
import { Writable } from 'node:stream';
import { wrapped } from './format.js';
import { readEnvironment, type PaytoEnvironment } from './config.js';

export interface Io {
  /** Resolves once the reader has taken the text. @throws OutputClosed if its reader has ended. */
  out: (text: string) => Promise<void>;
  /** For messages that are no result. */
  note: (text: string) => void;
  /** The width in which texts must fit. Undefined if no person reads the output. */
  columns: number | undefined;
  /** Whether a person can answer a question. */
  isInteractive: boolean;
  /** The answer to a question. A secret is not displayed. */
  ask: (question: string, options?: { isSecret?: boolean }) => Promise<string>;
  /** Everything on standard input. */
  readAll: () => Promise<string>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  environment: PaytoEnvironment;
  home: string;
  now: () => number;
  /** Of a person who reads times. Default: that of the machine. */
  timeZone?: string | undefined;
}

/** The reader of the output has closed it, like `head` does. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** The streams of this process. */
export function processIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr } = process;
  // The callback of `write` has the error too. Without a listener it would end the process.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(closedBy(error)) : resolve()));
      }),
    note: (text) => void stderr.write(`${stderr.isTTY ? fitted(text, stderr.columns || 80) : text}\n`),
    columns: stdout.isTTY ? stdout.columns || undefined : undefined,
    isInteractive: stdin.isTTY && stderr.isTTY,
    ask: async (question, { isSecret = false } = {}) => {
      if (isSecret) stderr.write(question);
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      const asker = createInterface({ input: stdin, output: isSecret ? silent : stderr, terminal: true });
      try {
        // The end of the input, such as Ctrl-D, is an empty answer. Without this, the question would never end.
        const ended = once(asker, 'close').then(() => '');
        return await Promise.race([asker.question(question, { signal }), ended]);
      } finally {
        asker.close();
        if (isSecret) stderr.write('\n');
      }
    },
    readAll: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
      return Buffer.concat(chunks).toString('utf8');
    },
    signal,
    environment: readEnvironment(),
    home: homedir(),
    now: Date.now,
  };
}

/** Lines that begin with a space are laid out already. */
const fitted = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line : wrapped(line, width).join('\n')))
    .join('\n');

const closedBy = (error: Error): Error =>
  'code' in error && error.code === 'EPIPE' ? new OutputClosed(error.message) : error;
