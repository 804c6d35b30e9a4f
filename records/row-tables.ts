// All tables with rows of things: one for each resource, and `conflicts`.
import { RESOURCE_NAMES, type ResourceName } from '../domain/resources.js';
import { conflictId } from './conflicts.js';
import { tableOf, type ConflictTable, type RowColumns, type RowTable } from './tables.js';

/** A row of any of these tables. */
export type AnyRow = Omit<RowColumns, 'changed_era' | 'changed_transaction'> &
  Partial<Pick<ConflictTable, 'resource'>>;

export interface RowKind {
  table: RowTable | 'conflicts';
  /** The columns of its primary key. */
  key: readonly string[];
  resourceOf: (row: AnyRow) => ResourceName;
  /** To which its sealed columns are bound, within the table. */
  idOf: (row: AnyRow) => string;
}

export const ROW_KINDS: readonly RowKind[] = [
  ...RESOURCE_NAMES.map((resource): RowKind => ({
    ...{ table: tableOf(resource), key: ['uid'] },
    resourceOf: () => resource,
    idOf: ({ uid }) => uid,
  })),
  {
    ...{ table: 'conflicts', key: ['resource', 'uid', 'identity'] },
    resourceOf: ({ resource }) => resource as ResourceName,
    idOf: ({ resource = '', uid, identity }) => conflictId({ resource, uid, identity: identity ?? '' }),
  },
];
