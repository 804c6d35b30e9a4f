// Which lines of the ledger are asked for.
import type { LedgerEntry } from '../ledger.schema.js';
import type { LedgerFilter } from './requests.schema.js';

export function isWanted(entry: LedgerEntry, { kind, operation, resource_uid: uid }: LedgerFilter): boolean {
  return (
    (kind === undefined || entry.kind === kind) &&
    (operation === undefined || ('operation' in entry && entry.operation === operation)) &&
    (uid === undefined || ('resource_uid' in entry && entry.resource_uid === uid))
  );
}
