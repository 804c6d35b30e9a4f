// `npm run -s keys`: a new key for ENCRYPTION_KEYS on standard output, and beside it what to do with it.
import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

const WORDS = `A new key, above; it was kept nowhere. It is what everything in Temporal can be read with: give it to nobody else.
  - The first key of all: ENCRYPTION_KEYS is that line, for every worker and every API.
  - A newer key: add it at the END of ENCRYPTION_KEYS, restart every worker and API; then move it to the FRONT, and
    restart them again. Keep the older keys behind it: what they sealed opens with nothing else.
  - Keep a copy apart from the database and its backups. Whoever loses a key loses what it sealed.
docs/custody.md has it step by step.`;

/** Named by the day, so that people can tell keys by their age, and by chance, so that no two have one name. */
function newKey(today: Date): string {
  const id = `${today.toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}

process.stdout.write(`${newKey(new Date())}\n`);
process.stderr.write(`${WORDS}\n`);
