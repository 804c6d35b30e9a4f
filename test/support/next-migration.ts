import { sql, type Kysely } from 'kysely';
import type { RecordsMigration } from '../../records/migrations/all.js';

/** As the next release could have it: it only adds, so this release works after it. */
export const NEXT = {
  '9001-next': {
    up: async (db: Kysely<unknown>) => {
      await sql`alter table payments add column note text not null default ''`.execute(db);
    },
    oldest: '0001-baseline',
    INDEXES: [{ name: 'payments_note', definition: sql`payments (note, uid)` }],
  },
} satisfies Record<string, RecordsMigration>;
