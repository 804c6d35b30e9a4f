// Seals what the records store besides clear columns, bound to table and row. A database that is copied or read reveals nothing of it.
import { carriedContext, entryContext, rowContext, webhookContext } from '../sealing/contexts.js';
import { openBytes, sealBytes, type Keyring } from '../sealing/keyring.js';
import type { RowTable } from './tables.js';

export interface Sealed {
  key_id: string;
  sealed: Buffer;
}

/** The tables with sealed rows. */
export type SealedTable = RowTable | 'conflicts' | 'float_entries' | 'settlement_reports';

/** What a row or an entry is sealed for, besides its own id. */
export interface Owned {
  connection_id: string | null;
}

/** The columns of a row or an entry that open it. */
export type SealedRow = Sealed & Owned;

export const sealRow = (
  keyring: Keyring,
  table: SealedTable,
  { uid, connectionId }: { uid: string; connectionId: string | null },
  view: object,
): Sealed => seal(keyring, view, rowContext(table, uid, connectionId));

export const sealEntry = (keyring: Keyring, { connectionId, ...id }: OwnedEntryId, data: object): Sealed =>
  seal(keyring, data, entryContext(id, connectionId));

/** @throws SealError if its key is missing, a byte changed, or it belongs to another row or connection. */
export const openRow = (keyring: Keyring, table: SealedTable, uid: string, row: SealedRow): unknown =>
  open(keyring, row, rowContext(table, uid, row.connection_id));

/** @throws SealError if its key is missing, a byte changed, or it belongs to another entry or connection. */
export const openEntry = (keyring: Keyring, id: EntryId, entry: SealedRow): unknown =>
  open(keyring, entry, entryContext(id, entry.connection_id));

/** The tables of webhooks with sealed columns. */
export type WebhookTable = 'webhook_endpoints' | 'webhook_secrets' | 'webhook_deliveries';

export const sealWebhook = (keyring: Keyring, table: WebhookTable, id: string, data: object): Sealed =>
  seal(keyring, data, webhookContext(table, id));

/** @throws SealError if its key is missing, a byte changed, or it belongs to another row. */
export const openWebhook = (keyring: Keyring, table: WebhookTable, id: string, row: Sealed): unknown =>
  open(keyring, row, webhookContext(table, id));

/** The columns of a row with what a later run needs. All of them are null, or none. */
export interface SealedCarried {
  carried: Buffer;
  carried_key_id: string;
}

export function sealCarried(
  keyring: Keyring,
  table: SealedTable,
  uid: string,
  carried: object,
): SealedCarried {
  const { key_id, sealed } = seal(keyring, carried, carriedContext(table, uid));
  return { carried: sealed, carried_key_id: key_id };
}

/** @returns undefined if the row has nothing for a later run. @throws as `openRow`. */
export function openCarried(
  keyring: Keyring,
  table: SealedTable,
  uid: string,
  { carried, carried_key_id: keyId }: Nullable<SealedCarried>,
): object | undefined {
  if (carried === null || keyId === null) return undefined;
  return open(keyring, { key_id: keyId, sealed: carried }, carriedContext(table, uid)) as object;
}
type Nullable<Row> = { [Name in keyof Row]: Row[Name] | null };

interface EntryId {
  workflowId: string;
  sequence: number;
  kind: string;
}
type OwnedEntryId = EntryId & { connectionId: string | null };

function seal(keyring: Keyring, data: object, context: string): Sealed {
  const { keyId, sealed } = sealBytes(keyring, Buffer.from(JSON.stringify(data)), context);
  return { key_id: keyId, sealed: Buffer.from(sealed) };
}

const open = (keyring: Keyring, { key_id: keyId, sealed }: Sealed, context: string): unknown =>
  JSON.parse(openBytes(keyring, { keyId, sealed }, context).toString('utf8'));
