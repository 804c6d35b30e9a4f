// The operators' audit log: who did what, with codes and ids only. Rows are appended and never changed.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Instant } from '../domain/facts/fact.js';
import type { Tables } from './tables.js';

export interface AuditEvent {
  action: string;
  outcome: string;
  apiKeyId?: string | undefined;
  principal?: string | undefined;
  requestId?: string | undefined;
  /** The workflow or connection that it was about. */
  target?: string | undefined;
  /** Codes, ids and counts. Never personal data. */
  details?: Readonly<Record<string, string | number | readonly string[]>> | undefined;
}

export interface StoredAuditEvent extends AuditEvent {
  position: number;
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
  /** Newest first. @param before the position of the last event that was read. @throws the errors of the database. */
  read: (
    filter: AuditFilter,
    page: { before: number | undefined; limit: number },
  ) => Promise<StoredAuditEvent[]>;
}

export const createAuditLog = (db: Kysely<Tables>): AuditLog => ({
  append: async ({ action, outcome, apiKeyId, principal, requestId, target, details = {} }) => {
    await db
      .insertInto('audit')
      .values({
        ...{ action, outcome, target: target ?? null, details: JSON.stringify(details) },
        api_key_id: apiKeyId ?? null,
        principal: principal ?? null,
        request_id: requestId ?? null,
      })
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
      .$if(before !== undefined, (query) => query.where('position', '<', before ?? 0))
      .orderBy('position', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      ...{ position: row.position, at: row.at.toISOString(), action: row.action, outcome: row.outcome },
      apiKeyId: row.api_key_id ?? undefined,
      principal: row.principal ?? undefined,
      requestId: row.request_id ?? undefined,
      target: row.target ?? undefined,
      details: row.details as StoredAuditEvent['details'],
    }));
  },
});
