// One process of the product: finds its file, starts it, reads its lines, and detects when it is ready.
// wiring.ts and bring-up.ts decide which processes run, and in which order.
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDetached, type Detached } from '../../temporal-server/detached.js';

export type ProgramName = 'sandbox' | 'worker' | 'api';

const FILES: Readonly<Record<ProgramName | 'migrate', string>> = {
  sandbox: 'sandbox/main',
  worker: 'worker/main',
  api: 'api/main',
  migrate: 'worker/migrate',
};

const HERE = fileURLToPath(import.meta.url);

/** This file in the folder of a build, for `programArgs`. Without a folder: this file. */
export const hereIn = (build: string | undefined): string =>
  build === undefined ? HERE : join(build, 'cli/stack/child.js');

/** The arguments for node. They match how this file itself runs: compiled, or from source by tsx. */
export function programArgs(name: ProgramName | 'migrate', here: string = HERE): string[] {
  const extension = extname(here);
  const file = join(dirname(here), '../..', `${FILES[name]}${extension}`);
  return extension === '.ts' ? ['--import', 'tsx', file] : [file];
}

export interface Program extends Detached {
  name: string;
  /** Resolves with its ready line. Rejects if that is late. If the process ends, `exited` resolves. */
  ready: Promise<string>;
}

export interface LaunchOptions {
  name: string;
  /** All arguments after `node`. */
  args: readonly string[];
  cwd: string;
  /** The complete environment: no other variables are inherited. */
  environment: Readonly<Record<string, string>>;
  readyLine: RegExp;
  readyWithinMs: number;
  stopWithinMs: number;
  onLine: (line: string) => void;
}

export async function launch(options: LaunchOptions): Promise<Program> {
  const { name, readyLine, onLine } = options;
  let announce: (line: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const child = await startDetached({
    ...options,
    path: process.execPath,
    onLine: (line) => {
      if (readyLine.test(line)) announce(line);
      onLine(line);
    },
  });
  return { ...child, name, ready: inTime(options, child, announced) };
}

function inTime(
  { name, readyLine, readyWithinMs }: LaunchOptions,
  { lastLines, exited }: Detached,
  announced: Promise<string>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const expected = `expected a line like ${String(readyLine)}`;
      const met = lastLines.length === 0 ? 'it printed nothing' : ['last lines:', ...lastLines].join('\n  ');
      reject(new Error(`${name} is not ready after ${readyWithinMs / 1000} s: ${expected}; ${met}`));
    }, readyWithinMs);
    void Promise.race([announced, exited]).then(() => clearTimeout(late));
    void announced.then(resolve);
  });
}
