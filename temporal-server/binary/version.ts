// Which server a Temporal CLI carries, and whether it will do.
import { execa } from 'execa';

const NEEDED = { major: 1, minor: 32 };
const TIMEOUT_MS = 30_000;

/** For people: the least server that will do. */
export const NEEDED_SERVER = `${NEEDED.major}.${NEEDED.minor}`;

/** The server's version, or an error that names the file, what it carries and what is needed. */
export async function requireServerVersion(path: string): Promise<string> {
  const result = await execa(path, ['--version'], { reject: false, stdin: 'ignore', timeout: TIMEOUT_MS });
  if (result.failed)
    throw new Error(`${path} cannot be run (${result.originalMessage ?? result.shortMessage})`);
  const found = /\bServer (?<version>(?<major>\d+)\.(?<minor>\d+)\.\d+\S*?)[,)\s]/.exec(
    result.stdout,
  )?.groups;
  const version = found?.['version'];
  if (version === undefined) {
    throw new Error(
      `${path} is no Temporal CLI with a server in it: --version says "${firstLine(result.stdout)}"`,
    );
  }
  const [major, minor] = [Number(found?.['major']), Number(found?.['minor'])];
  const isEnough = major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor);
  if (isEnough) return version;
  throw new Error(
    `${path} carries Temporal server ${version}, but ${NEEDED_SERVER} or newer is needed: only that skips time natively`,
  );
}

function firstLine(output: string): string {
  return output.split('\n', 1).join('');
}
