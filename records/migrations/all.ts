// All migrations, in order. Append only: never change one that a release has run.
import type { Migration } from 'kysely/migration';
import * as entries from './0001-entries.js';
import * as rows from './0002-rows.js';
import * as reading from './0003-reading.js';
import * as float from './0004-float.js';
import * as keys from './0005-keys.js';
import * as batches from './0006-batches.js';
import * as following from './0009-following.js';
import * as progress from './0010-progress.js';
import type { RowTable } from '../tables.js';

export const MIGRATIONS = {
  '0001-entries': entries,
  '0002-rows': rows,
  '0003-reading': reading,
  '0004-float': float,
  '0005-keys': keys,
  '0006-batches': batches,
  '0009-following': following,
  '0010-progress': progress,
} as const satisfies Readonly<Record<string, Migration>>;

/** The own columns of the table of each resource, from the migration that creates it. */
export const ROW_TABLES: Readonly<Record<RowTable, string>> = {
  ...MIGRATIONS['0002-rows'].TABLES,
  ...MIGRATIONS['0004-float'].TABLES,
};
