// `npm run -s keys`: prints a new key on standard output, and instructions on standard error. Nothing is stored.
import { createHash, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
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

const API_ADVICE = `The first line is for the caller alone: it is stored nowhere. The second is the entry for API_KEYS, or a line of API_KEYS_FILE.
  To rotate, make a key with another --id and the same --principal, and remove the old entry (or give it an "until") later.`;

const USAGE = `npm run -s keys            a key for ENCRYPTION_KEYS or SESSION_KEYS
npm run -s keys -- token   a key for TOKEN_KEYS of workers, with its public key for APIs
npm run -s keys -- api --principal NAME --scopes read+write [--id ID] [--connections acme+other] [--until 2027-01-31]
                           an API key, and its entry for API_KEYS. Scopes: read, write, operate, stop, decode, personal.
                           With --connections, the key finds nothing else. From --until on (UTC), it is unknown.`;

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

const API_OPTIONS = {
  id: { type: 'string' },
  principal: { type: 'string' },
  scopes: { type: 'string' },
  connections: { type: 'string' },
  until: { type: 'string' },
} as const;
/** As the API reads them (api/http/api-key-entries.ts). */
const FORMS = {
  id: /^[\w-]{1,32}$/,
  principal: /^[\w-]{1,32}$/,
  scopes: /^(read|write|operate|stop|decode|personal)(\+(read|write|operate|stop|decode|personal))*$/,
  connections: /^[\w~.-]{1,64}(\+[\w~.-]{1,64})*$/,
  until: /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/,
};

/** The prefix is for secret scanners, and the checksum shows a mistyped or cut key (api/http/api-keys.ts). */
function newApiKey(): string {
  const key = `payto_${randomBytes(KEY_BYTES).toString('hex')}`;
  return `${key}${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

/** @throws Error that names the wrong option. */
function apiKeyLines(args: string[]): string {
  const { values } = parseArgs({ args, options: API_OPTIONS });
  const given = { id: `${values.principal}-${randomBytes(3).toString('hex')}`, ...values };
  for (const [name, form] of Object.entries(FORMS)) {
    const value = given[name as keyof typeof FORMS];
    const isOptional = name === 'connections' || name === 'until';
    if (
      value === undefined ? !isOptional : !form.test(value) || (name === 'until' && isNaN(Date.parse(value)))
    )
      throw new Error(`expected --${name} of the form ${form.source}`);
  }
  const key = newApiKey();
  const { id, principal, scopes, connections, until } = given;
  const sha256 = createHash('sha256').update(key).digest('hex');
  const limits = [connections && `;connections=${connections}`, until && `;until=${until}`].join('');
  return `${key}\n${id}:${principal}:${scopes}:${sha256}${limits}`;
}

const [kind, ...others] = process.argv.slice(2);
try {
  if (kind === 'api') print(apiKeyLines(others), API_ADVICE);
  else if (others.length === 0 && kind === undefined) print(newKey(new Date()), ADVICE);
  else if (others.length === 0 && kind === 'token') print(await newTokenKey(), TOKEN_ADVICE);
  else throw new Error('expected no argument, token, or api with its options');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exitCode = 2;
}
