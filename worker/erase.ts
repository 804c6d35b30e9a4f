// Erases one payer's personal data from the records. Usage: npm run erase -- --help; in a container: node dist/worker/erase.js
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { describeError, openRecords } from '../records/database.js';
import { erasePayer } from '../records/erase.js';
import { every, stopWith } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readRecordsConfig } from './config.js';
import type { Erased } from '../records/erase.js';

const NAME = 'erase';
const USAGE = `npm run erase -- (--agreement UID | --credit UID) --reason TEXT [--by NAME] [--apply]

Without --apply: counts what has personal data of the payer. With --apply: replaces it, for ever. The agreement and everything of it, or
the unmatched credit, must have ended. A repeat erases what was stored since. --by: who erases; default: the user of the operating system. Needs RECORDS_URL, RECORDS_ADMIN_URL and ENCRYPTION_KEYS.`;

const PATIENT_MS = 10 * 60_000;

const { values } = parseArgs({
  options: {
    agreement: { type: 'string' },
    credit: { type: 'string' },
    reason: { type: 'string' },
    by: { type: 'string', default: userInfo().username },
    apply: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { agreement, credit, reason, by, apply: isApplied } = values;
if (values.help) console.log(USAGE);
else await main().catch((error: unknown) => stopWith(NAME, [describeError(error)]));

async function main(): Promise<void> {
  const uid = agreement ?? credit;
  if (uid === undefined || reason === undefined || (agreement !== undefined && credit !== undefined))
    stopWith(NAME, ['expected --agreement UID or --credit UID, and --reason TEXT']);
  const of = { resource: agreement === undefined ? 'unmatched-credit' : 'agreement', uid } as const;
  const config = settingsOrStop(NAME, readRecordsConfig);
  const { RECORDS_ADMIN_URL: admin, ENCRYPTION_KEYS: keyring } = config;
  if (admin === undefined)
    stopWith(NAME, ['RECORDS_ADMIN_URL: expected the URL of the owner of the database']);
  const inWords = (counts: Erased): string => {
    const each = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
    return `${isApplied ? 'erased' : 'with personal data'}: ${each.join(', ')}`;
  };
  const { db, close } = openRecords(admin, PATIENT_MS);
  const options = { db, keyring, of, by, reason, isApplied, onProgress: every(NAME, inWords) };
  const erased = await erasePayer(options).finally(close);
  console.log(`${NAME}: ${inWords(erased)}${isApplied ? '' : '; add --apply to erase them'}`);
}
