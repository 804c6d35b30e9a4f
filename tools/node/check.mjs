// Runs after `npm ci`, on the first `node` in the PATH of scripts. Prints one line if that is older than the pinned one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { version: pinned } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
const [needed, found] = [pinned, process.versions.node].map((version) => Number(version.split('.', 1)[0]));
if (found < needed)
  console.error(
    `Node ${pinned} could not be installed for ${process.platform}-${process.arch}, and ${process.version} is too old: ` +
      `install Node ${needed} yourself (.nvmrc names it) and repeat npm ci.`,
  );
