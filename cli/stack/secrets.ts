// Secrets for development only: created once on this machine and stored beside its data. Production must never use them.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseKeyring } from '../../sealing/keyring.js';
import { printPublicKey, publicKeyOf } from '../../sealing/public-key.js';

const NOTE =
  'Created by npm start for this machine. They encrypt the databases beside them, so keep all together. Never use them elsewhere.';

const Secrets = z.object({
  /** In the format of ENCRYPTION_KEYS: `kid:base64 of 32 bytes`. */
  encryption_key: z.string().min(1),
  /** In the format of TOKEN_KEYS, and its public key. */
  token_key: z.string().min(1),
  token_public_key: z.string().min(1),
  /** In the format of SESSION_KEYS. */
  session_key: z.string().min(1),
  api_key: z.string().min(1),
  webhook_secret: z.string().min(1),
  oauth_client_secret: z.string().min(1),
  records_owner_password: z.string().min(1),
  records_password: z.string().min(1),
});
export type Secrets = z.output<typeof Secrets>;

const newKey = (): string => `development:${randomBytes(32).toString('base64')}`;

export async function newSecrets(): Promise<Secrets> {
  const tokenKey = newKey();
  const secret = (): string => randomBytes(24).toString('base64url');
  return {
    encryption_key: newKey(),
    token_key: tokenKey,
    token_public_key: printPublicKey(await publicKeyOf(parseKeyring(tokenKey))),
    session_key: newKey(),
    api_key: `dev_${secret()}`,
    webhook_secret: secret(),
    oauth_client_secret: secret(),
    records_owner_password: secret(),
    records_password: secret(),
  };
}

/** The secrets in the file. If there is no file, creates one that only its owner can read. */
export async function storedSecrets(file: string): Promise<{ secrets: Secrets; isNew: boolean }> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return { secrets: parse(file, text), isNew: false };
  const secrets = await newSecrets();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ note: NOTE, ...secrets }, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  return { secrets, isNew: true };
}

function parse(file: string, text: string): Secrets {
  const remedy =
    'run npm start -- --fresh to create new ones and delete the data encrypted with the old ones';
  try {
    return Secrets.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} does not contain valid development secrets; ${remedy}`, { cause });
  }
}

/** The API_KEYS entry of the key, which has all permissions. */
export function apiKeyEntry({ api_key }: Secrets): string {
  return `development:development:read+write+operate+stop+decode+personal:${createHash('sha256').update(api_key).digest('hex')}`;
}
