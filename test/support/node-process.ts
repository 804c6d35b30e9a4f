import { execa } from 'execa';
import { findPackageRoot } from '../../temporal-server/binary/cache.js';
import { eventually } from './temporal.js';

export interface NodeProcess {
  output: () => string;
  ended: Promise<number | undefined>;
  signal: (name: NodeJS.Signals) => void;
  hasWritten: (words: RegExp) => Promise<void>;
}

export const builtOf = (room: 'api' | 'sandbox' | 'worker'): string => `dist/${room}/main.js`;

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
        throw new Error(
          `the process ended with ${code ?? 'a signal'} before it printed ${String(words)}: ${output()}`,
        );
      });
      const asked = eventually(
        () => Promise.resolve(output()),
        (text) => words.test(text),
      );
      await Promise.race([asked, gone]);
    },
  };
}
