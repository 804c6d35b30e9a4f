import { OutputClosed, type Io } from '../../cli/payto/io.js';
import { run } from '../../cli/payto/run.js';

export interface Printed {
  exitCode: number;
  out: string;
  notes: string;
}

export interface Terminal {
  io: Io;
  printed: () => Omit<Printed, 'exitCode'>;
  payto: (...argv: string[]) => Promise<Printed>;
}

export interface TerminalOver extends Partial<Io> {
  closesAfter?: number;
}

/** The streams of a command, and its output. */
export function aTerminal({ closesAfter = Infinity, ...over }: TerminalOver = {}): Terminal {
  let [out, notes, writes] = ['', '', 0];
  const io: Io = {
    out: (text) => {
      writes += 1;
      if (writes > closesAfter) return Promise.reject(new OutputClosed('EPIPE'));
      out += text;
      return Promise.resolve();
    },
    note: (text) => void (notes += `${text}\n`),
    columns: 80,
    isInteractive: false,
    ask: () => Promise.resolve(''),
    readAll: () => Promise.resolve(''),
    signal: new AbortController().signal,
    environment: {},
    home: '/nonexistent',
    now: Date.now,
    timeZone: 'Australia/Sydney',
    ...over,
  };
  return {
    io,
    printed: () => ({ out, notes }),
    payto: async (...argv) => {
      [out, notes, writes] = ['', '', 0];
      const exitCode = await run(argv, io);
      return { exitCode, out, notes };
    },
  };
}
