// `npm run -s keys`: prints a new key on standard output, and instructions on standard error. Nothing is stored.
import { randomBytes } from 'node:crypto';
import { parseKeyring } from '../sealing/keyring.js';
import { printPublicKey, publicKeyOf } from '../sealing/public-key.js';

const KEY_BYTES = 32;

const ADVICE = `The line above is a new key. It is stored nowhere else. It decrypts all data that it encrypts: keep it secret.
  - First key: set ENCRYPTION_KEYS to that line, for every worker and every API. Make another one for SESSION_KEYS of the APIs.
  - Newer key: add it at the END of ENCRYPTION_KEYS, and restart every worker and API. Then move it to the FRONT, and
    restart them again. Keep the older keys behind it: only they can decrypt older data.
  - Keep a copy apart from the database and its backups. If a key is lost, all data encrypted with it is lost.
docs/custody.md has it step by step.`;

const TOKEN_ADVICE = `The lines above are a new key of workers, and its public key. The key opens the tokens of every merchant: keep it secret.
  - First key: set TOKEN_KEYS of every worker to the first value, and TOKEN_PUBLIC_KEY of every API to the second.
  - Newer key: add it at the END of TOKEN_KEYS, and restart every worker. Then set TOKEN_PUBLIC_KEY and restart every API.
    Then move the key to the FRONT of TOKEN_KEYS and restart the workers. Keep the older keys behind it.
  - Keep a copy apart from the database and its backups. If it is lost, every merchant must consent again.
docs/custody.md has it step by step.`;

const USAGE = `npm run -s keys            a key for ENCRYPTION_KEYS or SESSION_KEYS
npm run -s keys -- token   a key for TOKEN_KEYS of workers, with its public key for APIs`;

/** Named by date, to show the age of the key, and by a random part, so that names are unique. */
function newKey(today: Date): string {
  const id = `${today.toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}

async function newTokenKey(): Promise<string> {
  const key = newKey(new Date());
  const publicKey = printPublicKey(await publicKeyOf(parseKeyring(key)));
  return `TOKEN_KEYS=${key}\nTOKEN_PUBLIC_KEY=${publicKey}`;
}

const print = (lines: string, advice: string): void => {
  process.stdout.write(`${lines}\n`);
  process.stderr.write(`${advice}\n`);
};

const [kind, ...others] = process.argv.slice(2);
if (others.length === 0 && kind === undefined) print(newKey(new Date()), ADVICE);
else if (others.length === 0 && kind === 'token') print(await newTokenKey(), TOKEN_ADVICE);
else {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
}
