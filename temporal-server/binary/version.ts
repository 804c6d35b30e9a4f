// Reads the server version of a Temporal CLI, and checks it.
import { execa } from 'execa';

const NEEDED = { major: 1, minor: 32 };
const TIMEOUT_MS = 30_000;

/** For people: the lowest sufficient server version. */
export const NEEDED_SERVER = `${NEEDED.major}.${NEEDED.minor}`;

/** The server's version. Throws an error with the file, its version and the required one. */
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
      `${path} is not a Temporal CLI with a server: --version prints "${firstLine(result.stdout)}"`,
    );
  }
  const [major, minor] = [Number(found?.['major']), Number(found?.['minor'])];
  const isEnough = major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor);
  if (isEnough) return version;
  throw new Error(
    `${path} contains Temporal server ${version}, but ${NEEDED_SERVER} or newer is required: older ones cannot skip time`,
  );
}

function firstLine(output: string): string {
  return output.split('\n', 1).join('');
}
