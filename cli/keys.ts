// `npm run -s keys`: a new key for ENCRYPTION_KEYS on standard output, and beside it what to do with it.
import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

const ADVICE = `A new key, above; it was kept nowhere. It is what everything in Temporal can be read with: keep it secret.
  - The first key of all: ENCRYPTION_KEYS is that line, for every worker and every API.
  - A newer key: add it at the END of ENCRYPTION_KEYS, restart every worker and API; then move it to the FRONT, and
    restart them again. Keep the older keys behind it: what they sealed opens with nothing else.
  - Keep a copy apart from the database and its backups. With a key that is lost, all that it sealed is lost.
docs/custody.md has it step by step.`;

/** Named by the day, so that a key's age can be read from it, and by chance, so that no two have one name. */
function newKey(today: Date): string {
  const id = `${today.toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}

process.stdout.write(`${newKey(new Date())}\n`);
process.stderr.write(`${ADVICE}\n`);
