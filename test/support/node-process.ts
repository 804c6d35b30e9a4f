import { execa } from 'execa';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { eventually } from './temporal.js';

export interface NodeProcess {
  /** Everything it has written so far, errors included. */
  output: () => string;
  /** Its exit code, once it has ended; nothing where a signal ended it. */
  ended: Promise<number | undefined>;
  signal: (name: NodeJS.Signals) => void;
  /** Resolves once it has written what matches. @throws with what it wrote, where it ends before that. */
  hasWritten: (words: RegExp) => Promise<void>;
}

/** One of them as `npm run build` has made it (test/support/build.ts). */
export const builtOf = (room: 'api' | 'sandbox' | 'worker'): string => `dist/${room}/main.js`;

/**
 * Starts it; who does so has to end it. `PATH` and `HOME` are what an image always has.
 * @param words what Node is given.
 */
export function startNode(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): NodeProcess {
  const written: string[] = [];
  const child = execa(process.execPath, words, {
    cwd: findPackageRoot(),
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', ...variables },
    extendEnv: false,
    reject: false,
    all: true,
    buffer: false,
    stdin: 'ignore',
  });
  child.all.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const output = (): string => written.join('');
  const ended = child.then(({ exitCode }) => exitCode);
  return {
    output,
    ended,
    signal: (name) => void child.kill(name),
    hasWritten: async (words) => {
      const gone = ended.then((code) => {
        throw new Error(`it ended with ${code ?? 'a signal'} before it wrote ${String(words)}: ${output()}`);
      });
      const asked = eventually(
        () => Promise.resolve(output()),
        (text) => words.test(text),
      );
      await Promise.race([asked, gone]);
    },
  };
}
