// All migrations, in order. Before the first release, change the baseline. After it, append only: never change one that a release has run.
import type { Migration } from 'kysely/migration';
import * as baseline from './0001-baseline.js';
import { TABLES } from './0001-baseline/rows.js';
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
  '0001-baseline': { ...baseline, oldest: '0001-baseline' },
});

/** The own columns of the table of each resource. A migration that creates such a table adds it here. */
export const ROW_TABLES: Readonly<Record<RowTable, string>> = TABLES;
