// Erases one payer's personal data from the records. Usage: npm run erase -- --help; in a container: node dist/worker/erase.js
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { PATIENT_MS, openRecords } from '../records/database.js';
import { erasePayer } from '../records/erase.js';
import { FLAG, countsIn, ownerOf, reported, runOnRecords, stopWith } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readRecordsConfig } from './config.js';
import type { Erased } from '../records/erase.js';

const NAME = 'erase';
const USAGE = `npm run erase -- (--agreement UID | --credit UID) --reason TEXT [--by NAME] [--apply]

Without --apply: counts what has personal data of the payer. With --apply: replaces it, for ever. The agreement and everything of it, or
the unmatched credit, must have ended. A repeat erases what was stored since. --by: who erases; default: the user of the operating system. Needs RECORDS_URL, RECORDS_ADMIN_URL and ENCRYPTION_KEYS.`;

const { values } = parseArgs({
  options: {
    agreement: { type: 'string' },
    credit: { type: 'string' },
    reason: { type: 'string' },
    by: { type: 'string', default: userInfo().username },
    apply: FLAG,
    help: FLAG,
  },
});
const { agreement, credit, reason, by, apply: isApplied } = values;
if (values.help) console.log(USAGE);
else await runOnRecords(NAME, main);

async function main(): Promise<void> {
  const uid = agreement ?? credit;
  if (uid === undefined || reason === undefined || (agreement !== undefined && credit !== undefined))
    stopWith(NAME, 'expected --agreement UID or --credit UID, and --reason TEXT');
  const of = { resource: agreement === undefined ? 'unmatched-credit' : 'agreement', uid } as const;
  const config = settingsOrStop(NAME, readRecordsConfig);
  const { db, close } = openRecords(ownerOf(NAME, config), PATIENT_MS);
  const erased = isApplied ? 'erased' : 'with personal data';
  await reported<Erased>(
    NAME,
    { isApplied, toApply: 'erase', inWords: (counts) => `${erased}: ${countsIn(counts)}` },
    (options) => erasePayer({ db, keyring: config.ENCRYPTION_KEYS, of, by, reason, ...options }),
  ).finally(close);
}
