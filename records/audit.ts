// The operators' audit log: who did what, with codes and ids only. Rows are appended and never changed.
import { sql, type Kysely } from 'kysely';
import { placeOf, type Place } from './feed.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Tables } from './tables.js';

export interface AuditEvent {
  /** A UUID that the process makes once, so that a repeated append stores the event once. */
  id: string;
  action: string;
  outcome: string;
  apiKeyId?: string | undefined;
  principal?: string | undefined;
  requestId?: string | undefined;
  /** The workflow or connection that it was about. */
  target?: string | undefined;
  /** Codes, ids and counts. Never personal data. */
  details?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
}

export interface StoredAuditEvent extends AuditEvent {
  place: Place;
  at: Instant;
}

export interface AuditFilter {
  action?: string | undefined;
  principal?: string | undefined;
  target?: string | undefined;
  from?: Instant | undefined;
  until?: Instant | undefined;
}

export interface AuditLog {
  /** @throws the errors of the database. */
  append: (event: AuditEvent) => Promise<void>;
  /**
   * Newest first, in an order that never changes. An event appears only once no transaction that began before its own is open, so none can appear
   * later behind one that was read. @param before the place of the last event that was read. @throws the errors of the database.
   */
  read: (
    filter: AuditFilter,
    page: { before: Place | undefined; limit: number },
  ) => Promise<StoredAuditEvent[]>;
}

const FIRST: Place = [0, '0', 0];

const isBefore = ([era, transaction, position]: Place) =>
  sql<boolean>`(era, transaction, position) < (${era}, ${transaction}::xid8, ${position})`;

/** As readers of the entries (feed.ts). */
const IS_SETTLED = sql<boolean>`
  (era, transaction) < ((select era from feed_era), pg_snapshot_xmin(pg_current_snapshot()))`;

export const createAuditLog = (db: Kysely<Tables>): AuditLog => ({
  append: async ({ id, action, outcome, apiKeyId, principal, requestId, target, details = {} }) => {
    await db
      .insertInto('audit')
      .values({
        ...{ id, action, outcome, target: target ?? null, details: JSON.stringify(details) },
        api_key_id: apiKeyId ?? null,
        principal: principal ?? null,
        request_id: requestId ?? null,
        era: sql`(select era from feed_era)`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  read: async ({ action, principal, target, from, until }, { before, limit }) => {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
      .$if(principal !== undefined, (query) => query.where('principal', '=', principal ?? ''))
      .$if(target !== undefined, (query) => query.where('target', '=', target ?? ''))
      .$if(from !== undefined, (query) => query.where(sql<boolean>`at >= ${from}`))
      .$if(until !== undefined, (query) => query.where(sql<boolean>`at < ${until}`))
      .$if(before !== undefined, (query) => query.where(isBefore(before ?? FIRST)))
      .where(IS_SETTLED)
      .orderBy('era', 'desc')
      .orderBy('transaction', 'desc')
      .orderBy('position', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      ...{
        id: row.id,
        place: placeOf(row),
        at: row.at.toISOString(),
        action: row.action,
        outcome: row.outcome,
      },
      apiKeyId: row.api_key_id ?? undefined,
      principal: row.principal ?? undefined,
      requestId: row.request_id ?? undefined,
      target: row.target ?? undefined,
      details: row.details as StoredAuditEvent['details'],
    }));
  },
});
