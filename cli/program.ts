// Where the processes of the product are, and how node runs one: compiled as it is, from source by tsx.
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ProgramName = 'sandbox' | 'worker' | 'api';

const HERE = fileURLToPath(import.meta.url);

/** What node is told to run a process in the form in which this file itself runs. */
export function programWords(name: ProgramName, here: string = HERE): string[] {
  const extension = extname(here);
  const file = join(dirname(here), '..', name, `main${extension}`);
  return extension === '.ts' ? ['--import', 'tsx', file] : [file];
}
