// Starts a case for each credit that nothing explains: its notification was lost, or it has none.
import { startCase } from '../../delivery/credits.js';
import { isUid } from '../../domain/provider/uid.js';
import type { Dependencies } from '../dependencies.js';

/** Older entries are not matched again, and start no case. */
const MATCHED_AGAIN_MS = 40 * 24 * 3_600_000;

interface Account {
  uid: string;
  connectionId: string;
}

/** A repeat starts nothing more. Throws the errors of the database and of Temporal. */
export async function matchAndOpenCases(deps: Dependencies, account: Account): Promise<void> {
  const { records, credits, temporal, taskQueue, now } = deps;
  const from = new Date(now() - MATCHED_AGAIN_MS).toISOString();
  await records.matchEntries(account, from);
  const until = new Date(now() - credits.caseAfterMs).toISOString();
  const uids = await records.creditsWithoutCase(account.uid, { from, until });
  const to = { client: temporal, taskQueue };
  for (const uid of uids)
    if (isUid(uid)) await startCase(to, { uid, accountUid: account.uid }, account.connectionId);
}
