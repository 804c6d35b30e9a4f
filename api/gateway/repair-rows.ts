// Finds the rows of a batch that repairs resources: all that the records list for its filter, up to a limit.
import { MOST_REPAIRED, RESOLVABLE, type Resolvable } from '../../domain/batch/repair.js';
import {
  eachUidOnce,
  resolutionRowOf,
  retryRowOf,
  type FoundFlagged,
  type FoundPayment,
} from '../../domain/batch/repair-rows.js';
import type { AttentionCode } from '../../domain/attention/flags.js';
import type { RequestedRow } from '../../domain/batch/rows.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ResourceName } from '../../domain/resources.js';
import type { RowFilter, RowPlace } from '../../records/lists.js';
import { ApiError } from '../http/problems/errors.js';
import type { Recorded } from './records.js';

/** Which failed payments are retried. Absent fields match all. */
export type FailedFilter = Pick<RowFilter, 'code' | 'entered' | 'agreement' | 'connection'>;

/** Which flags are resolved. */
export interface FlagFilter {
  flag: AttentionCode;
  /** Default: of all resources. */
  resource: Resolvable | undefined;
  connection: string | undefined;
}

export interface RepairRows {
  /** The failed payments, oldest first. @throws ApiError `invalid_request` if there are too many, or `records_unavailable` */
  retries: (filter: FailedFilter) => Promise<RequestedRow[]>;
  /** The resources with the flag, oldest first. @throws ApiError `invalid_request` if there are too many, or `records_unavailable` */
  resolutions: (filter: FlagFilter) => Promise<RequestedRow[]>;
}

/** @param nowMs epoch milliseconds. @param most rows of one batch. */
export const findRepairRows = (
  recorded: Pick<Recorded, 'list'>,
  { nowMs = Date.now, most = MOST_REPAIRED }: { nowMs?: () => number; most?: number } = {},
): RepairRows => ({
  retries: async (filter) => {
    const failed = { ...filter, states: ['failed'] };
    const found = await allOf<FoundPayment>(recorded, 'payment', failed, most);
    const now: Instant = new Date(nowMs()).toISOString();
    return found.map((payment) => retryRowOf(payment, now));
  },
  resolutions: async ({ flag, resource, connection }) => {
    const rows: RequestedRow[] = [];
    for (const name of resource === undefined ? RESOLVABLE : [resource]) {
      const filter = { attention: flag, connection };
      const found = await allOf<FoundFlagged>(recorded, name, filter, most, rows.length);
      rows.push(...found.map((one) => resolutionRowOf(one, { resource: name, flag })));
    }
    return eachUidOnce(rows);
  },
});

const PER_PAGE = 500;

/** @param before rows that the batch has already. */
async function allOf<View>(
  recorded: Pick<Recorded, 'list'>,
  resource: ResourceName,
  filter: RowFilter,
  most: number,
  before = 0,
): Promise<View[]> {
  const found: View[] = [];
  const sort = { by: 'created', isDescending: false } as const;
  let after: RowPlace | undefined;
  do {
    const page = await recorded.list<View>(resource, { filter, sort, after, limit: PER_PAGE });
    found.push(...page.items);
    if (before + found.length > most) throw tooMany(most);
    after = page.next;
  } while (after !== undefined);
  return found;
}

function tooMany(most: number): ApiError {
  const limit = most.toLocaleString('en');
  const detail = `The filter matches more than ${limit} resources, which is the limit of a batch. Nothing was changed. Narrow the filter, for example to one day or one connection.`;
  return new ApiError('invalid_request', detail, {
    errors: [{ pointer: '/filter', detail: `expected a filter that matches at most ${limit} resources` }],
  });
}
