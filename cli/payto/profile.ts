// Where the URL and the key come from: flags, then the environment, then a profile file that only its owner can read.
import { mkdir, readFile, stat, writeFile, chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { usage } from './failure.js';
import type { Io } from './io.js';

export interface TargetFlags {
  url?: string | undefined;
  keyFile?: string | undefined;
  profile?: string | undefined;
}

/** The API that commands call. */
export interface ApiTarget {
  url: string;
  apiKey: string;
}

const HttpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const Profile = z.strictObject({
  url: HttpUrl,
  key: z.string().min(1),
  sandbox: HttpUrl.optional(),
  console: HttpUrl.optional(),
});
export type Profile = z.output<typeof Profile>;

const NAME = /^[\w-]{1,64}$/;
const DEFAULT = 'default';
/** Permissions of anyone but the owner. */
const OF_OTHERS = 0o077;

type ProfileIo = Pick<Io, 'environment' | 'home'>;

/** The URL and the key. Each comes from the first place that has it. @throws Failure if one is missing or a profile is readable by others. */
export async function targetOf(flags: TargetFlags, io: ProfileIo): Promise<ApiTarget> {
  const { PAYTO_URL, PAYTO_API_KEY } = io.environment;
  const given = {
    url: flags.url ?? PAYTO_URL,
    key: flags.keyFile === undefined ? PAYTO_API_KEY : await keyIn(flags.keyFile),
  };
  const isComplete = given.url !== undefined && given.key !== undefined;
  const isProfileNamed = flags.profile !== undefined;
  const profile = isComplete && !isProfileNamed ? undefined : await readProfile(flags, io);
  // A named profile is meant as a whole: only flags overrule it, never a key that happens to be in the environment.
  const url = flags.url ?? (isProfileNamed ? profile?.url : (given.url ?? profile?.url));
  const key = flags.keyFile === undefined && isProfileNamed ? profile?.key : (given.key ?? profile?.key);
  if (url === undefined) throw usage(`expected the URL of the API. ${HOW}`);
  if (key === undefined) throw usage(`expected an API key. ${HOW}`);
  if (!HttpUrl.safeParse(url).success) throw usage(`expected an http or https URL, found ${url}`);
  return { url: url.replace(/(?<!\/)\/+$/, ''), apiKey: key };
}

const HOW =
  'Set PAYTO_URL and PAYTO_API_KEY, give --url and --key-file, or store both with `payto login`. `npm start` prints what to export.';

async function keyIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usage(`expected a file with an API key: ${error instanceof Error ? error.message : String(error)}`);
  });
  const key = text.trim();
  if (key === '' || /\s/.test(key)) throw usage(`expected ${file} to contain one API key and nothing else`);
  return key;
}

/** The file of a profile. @throws Failure for a name that is no file name. */
export function profileFile(name: string, { environment, home }: ProfileIo): string {
  if (!NAME.test(name))
    throw usage(`expected the name of a profile, of letters, digits, _ and -, found ${name}`);
  return join(environment.XDG_CONFIG_HOME ?? join(home, '.config'), 'payto', `${name}.json`);
}

export const profileNameOf = ({ profile }: TargetFlags, { environment }: ProfileIo): string =>
  profile ?? environment.PAYTO_PROFILE ?? DEFAULT;

/** @returns undefined if there is none and none was named. @throws Failure if others can read it, or it is malformed. */
export async function readProfile(flags: TargetFlags, io: ProfileIo): Promise<Profile | undefined> {
  const file = profileFile(profileNameOf(flags, io), io);
  const found = await stat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found === undefined) {
    if (flags.profile === undefined && io.environment.PAYTO_PROFILE === undefined) return undefined;
    throw usage(
      `expected the profile ${file}, which does not exist. Store it with \`payto login --profile ${flags.profile ?? ''}\`.`,
    );
  }
  if ((found.mode & OF_OTHERS) !== 0)
    throw usage(`expected ${file} to be readable only by you, because it has a key: chmod 600 ${file}`);
  const parsed = Profile.safeParse(jsonOf(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw usage(`expected ${file} to have url and key: ${z.prettifyError(parsed.error)}`);
}

/** Stores a profile that only its owner can read. */
export async function writeProfile(file: string, profile: Profile): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(Profile.parse(profile), undefined, 2)}\n`, { mode: 0o600 });
  // The mode above applies only to a new file.
  await chmod(file, 0o600);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
