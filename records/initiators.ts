// Finds the clients and counterparties that agreements refer to, by the provider's ids.
import { sql } from 'kysely';
import { openRow, type SealedRow } from './sealed.js';
import type { InitiatorRows } from '../domain/records/initiators.js';
import type { Opened } from './database.js';

export const createInitiatorRows = (opened: Opened): InitiatorRows => ({
  clientUid: async (clientId) => {
    const { rows } = await sql<{ uid: string }>`
      select uid from clients where client_id = ${clientId} order by requested_at desc nulls last limit 1
      `.execute(opened.db);
    return rows[0]?.uid;
  },
  counterpartiesWith: async (accountUid, limit) => {
    const { rows } = await sql<SealedRow & { uid: string }>`
      select uid, connection_id, key_id, sealed from counterparties
      where payment_account_uids @> array[${accountUid}]::text[] limit ${limit}`.execute(opened.db);
    return rows.map((row) => openRow(opened.keyring, 'counterparties', row.uid, row) as object);
  },
});
