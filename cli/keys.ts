// `npm run -s keys`: prints a new key for ENCRYPTION_KEYS on standard output, and instructions on standard error.
import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

const ADVICE = `The line above is a new key. It is stored nowhere else. It decrypts all data that it encrypts: keep it secret.
  - First key: set ENCRYPTION_KEYS to that line, for every worker and every API.
  - Newer key: add it at the END of ENCRYPTION_KEYS, and restart every worker and API. Then move it to the FRONT, and
    restart them again. Keep the older keys behind it: only they can decrypt older data.
  - Keep a copy apart from the database and its backups. If a key is lost, all data encrypted with it is lost.
docs/custody.md has it step by step.`;

/** Named by date, to show the age of the key, and by a random part, so that names are unique. */
function newKey(today: Date): string {
  const id = `${today.toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}

process.stdout.write(`${newKey(new Date())}\n`);
process.stderr.write(`${ADVICE}\n`);
