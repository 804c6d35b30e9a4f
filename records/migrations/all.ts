// All migrations, in order. Append only: never change one that a release has run.
import type { Migration } from 'kysely/migration';
import * as entries from './0001-entries.js';
import * as rows from './0002-rows.js';
import * as reading from './0003-reading.js';
import * as float from './0004-float.js';
import * as keys from './0005-keys.js';
import * as batches from './0006-batches.js';
import * as support from './0007-support.js';
import * as searching from './0008-searching.js';
import * as following from './0009-following.js';
import * as progress from './0010-progress.js';
import * as remembered from './0011-remembered.js';
import * as starts from './0012-starts.js';
import * as events from './0013-events.js';
import * as floatReadings from './0014-float-readings.js';
import * as settlement from './0015-settlement.js';
import * as credits from './0016-credits.js';
import * as financeViews from './0017-finance-views.js';
import * as planned from './0018-planned.js';
import * as journal from './0019-journal.js';
import * as erasure from './0020-erasure.js';
import * as consecutiveFailures from './0021-consecutive-failures.js';
import type { RowTable } from '../tables.js';
import type { Index } from './indexes.js';

export interface RecordsMigration<Name extends string = string> extends Migration {
  /**
   * The oldest migration whose processes may run after this one. Not newer than the newest one of the previous release, which runs on during an
   * upgrade: so first only add, and remove what a release needs in the release after the next.
   */
  oldest: Name;
  /** Built after `up`, without blocking a running release. If a later migration drops one, remove it here too. */
  INDEXES?: readonly Index[];
}

const inOrder = <Name extends string>(
  migrations: Record<Name, RecordsMigration<NoInfer<Name>>>,
): Readonly<Record<Name, RecordsMigration<Name>>> => migrations;

export const MIGRATIONS = inOrder({
  '0001-entries': { ...entries, oldest: '0001-entries' },
  '0002-rows': { ...rows, oldest: '0002-rows' },
  '0003-reading': { ...reading, oldest: '0003-reading' },
  '0004-float': { ...float, oldest: '0004-float' },
  '0005-keys': { ...keys, oldest: '0005-keys' },
  '0006-batches': { ...batches, oldest: '0006-batches' },
  '0007-support': { ...support, oldest: '0007-support' },
  '0008-searching': { ...searching, oldest: '0007-support' },
  '0009-following': { ...following, oldest: '0009-following' },
  '0010-progress': { ...progress, oldest: '0009-following' },
  '0011-remembered': { ...remembered, oldest: '0011-remembered' },
  '0012-starts': { ...starts, oldest: '0011-remembered' },
  '0013-events': { ...events, oldest: '0011-remembered' },
  '0014-float-readings': { ...floatReadings, oldest: '0011-remembered' },
  '0015-settlement': { ...settlement, oldest: '0011-remembered' },
  '0016-credits': { ...credits, oldest: '0011-remembered' },
  '0017-finance-views': { ...financeViews, oldest: '0011-remembered' },
  '0018-planned': { ...planned, oldest: '0011-remembered' },
  '0019-journal': { ...journal, oldest: '0011-remembered' },
  '0020-erasure': { ...erasure, oldest: '0011-remembered' },
  '0021-consecutive-failures': { ...consecutiveFailures, oldest: '0011-remembered' },
});
export type MigrationName = keyof typeof MIGRATIONS;

/** The own columns of the table of each resource, from the migration that creates it. */
export const ROW_TABLES: Readonly<Record<RowTable, string>> = { ...rows.TABLES, ...float.TABLES };
