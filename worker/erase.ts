// Erases one payer's personal data from the records. Usage: npm run erase -- --help; in a container: node dist/worker/erase.js
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { PATIENT_MS, openRecords } from '../records/database.js';
import { erasePayer, type Erased } from '../records/erase.js';
import { FLAG, countsIn, ownerOf, reported, runOnRecords, stopWith } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readRecordsConfig } from './config.js';
import type { ErasureTarget } from '../records/erasure-scope.js';

const NAME = 'erase';
const USAGE = `npm run erase -- (--agreement UID | --credit UID | --counterparty UID | --notification UID | --float-entry ACCOUNT/ID)
  --reason TEXT [--by NAME] [--apply]

Without --apply: counts what has personal data of the payer. With --apply: replaces it, for ever. --agreement also covers all that belongs to the
agreement, or has an account of its payer on the same connection. All of it must have ended. The command prints what it leaves, and how to erase
that. A repeat erases what was stored since. --by: who erases; default: the user of the operating system. Needs RECORDS_URL, RECORDS_ADMIN_URL and ENCRYPTION_KEYS.`;

/** What the command erases, by its option. */
const TARGETS = {
  agreement: 'agreement',
  credit: 'unmatched-credit',
  counterparty: 'counterparty',
  notification: 'notification',
  'float-entry': 'float entry',
} as const satisfies Record<string, ErasureTarget['resource']>;
type TargetOption = keyof typeof TARGETS;
const TARGET_OPTIONS = Object.keys(TARGETS) as TargetOption[];

const { values } = parseArgs({
  options: {
    agreement: { type: 'string' },
    credit: { type: 'string' },
    counterparty: { type: 'string' },
    notification: { type: 'string' },
    'float-entry': { type: 'string' },
    reason: { type: 'string' },
    by: { type: 'string', default: userInfo().username },
    apply: FLAG,
    help: FLAG,
  },
});
const { reason, by, apply: isApplied } = values;
if (values.help) console.log(USAGE);
else await runOnRecords(NAME, main);

async function main(): Promise<void> {
  const [target, ...others] = TARGET_OPTIONS.flatMap((option): ErasureTarget[] => {
    const uid = values[option];
    return uid === undefined ? [] : [{ resource: TARGETS[option], uid }];
  });
  if (target === undefined || reason === undefined || others.length > 0)
    stopWith(
      NAME,
      `expected one of ${TARGET_OPTIONS.map((one) => `--${one}`).join(', ')}, and --reason TEXT`,
    );
  const config = settingsOrStop(NAME, readRecordsConfig);
  const { db, close } = openRecords(ownerOf(NAME, config), PATIENT_MS);
  const erased = isApplied ? 'erased' : 'with personal data';
  await reported<Erased>(
    NAME,
    { isApplied, toApply: 'erase', inWords: (counts) => `${erased}: ${countsIn(counts)}` },
    (options) =>
      erasePayer({
        ...{ db, keyring: config.ENCRYPTION_KEYS, of: target, by, reason, ...options },
        onNotice: (notice) => console.log(`${NAME}: ${notice}`),
      }),
  ).finally(close);
}
