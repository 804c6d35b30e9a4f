// Reads the rows that a sweep compares with the provider's lists. Nothing sealed is read.
import { tableOf, type Tables } from './tables.js';
import type { Kysely } from 'kysely';
import type { SweptRows } from '../domain/records/swept.js';

export const createSweptRows = (db: Kysely<Tables>): SweptRows => ({
  rowsOf: async (resource, uids) => {
    const rows = await db
      .selectFrom(tableOf(resource))
      .select(['uid', 'state', 'connection_id'])
      .where('uid', 'in', uids)
      .execute();
    return rows.map(({ uid, state, connection_id: id }) => ({ uid, state, connectionId: id ?? undefined }));
  },
  uidsIn: async (resource, { connectionId, states, until }, { after, limit }) => {
    const rows = await db
      .selectFrom(tableOf(resource))
      .select('uid')
      .where('connection_id', '=', connectionId)
      .where('state', 'in', states)
      .where('requested_at', '<=', new Date(until))
      .where('uid', '>', after)
      .orderBy('uid')
      .limit(limit)
      .execute();
    return rows.map(({ uid }) => uid);
  },
});
