// Compares a day with its settlement reports.
import { startOfSydneyDay } from '../../domain/time/sydney.js';
import { addDays, type Day } from '../../domain/time/calendar.js';
import { expectedDays, type ExpectedDay } from '../../domain/settlement/expected.js';
import {
  absentState,
  type Compared,
  type DayReport,
  type ReconciliationException,
} from '../../domain/settlement/reconciliation.js';
import type { ReportContent } from '../../domain/settlement/storage.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { FloatTotal } from '../../records/reconcile.js';
import type { Calls } from './temporal/calls.js';

interface DayReconciliation {
  from: Instant;
  until: Instant;
  /** One for each connection. */
  reports: DayReport[];
  compared: Compared[];
  /** At most `MOST_EXCEPTIONS` of each kind. */
  exceptions: ReconciliationException[];
  float: FloatTotal[];
}

interface ExpectedDays {
  /** The first day and the last one, in Sydney. Both are included. */
  from: Day;
  until: Day;
  connection: string | undefined;
}

const MOST_EXCEPTIONS = 500;

interface SettlementGateway {
  /** @param now for the state of a missing report. @throws ApiError `records_unavailable` */
  reconcile: (day: Day, connection: string | undefined, now: Instant) => Promise<DayReconciliation>;
  /** The newest report of the day as it was downloaded (records/settlement.ts). @throws ApiError `records_unavailable` */
  report: (connection: string, day: Day) => Promise<{ content: ReportContent | undefined } | undefined>;
  /** Two days at a time, so that the number of days does not matter to the database. @throws ApiError `records_unavailable`, also between two days. */
  expected: (days: ExpectedDays) => AsyncGenerator<ExpectedDay[]>;
}

export const createSettlementGateway = ({ recorded }: Pick<Calls, 'recorded'>): SettlementGateway => ({
  reconcile: async (day, connection, now) => {
    const { from, until } = hoursOf(day);
    const request = { day, from, until, connection, limit: MOST_EXCEPTIONS };
    const { reports, awaited, ...reconciled } = await recorded.ask(({ reconcile }) => reconcile(request));
    const absent = [
      ...awaited.map((id) => absentReport(id, absentState(day, now))),
      ...(connection === undefined || reports.length + awaited.length > 0
        ? []
        : [absentReport(connection, 'not_expected')]),
    ];
    const all = [...reports, ...absent].toSorted((a, b) => (a.connectionId < b.connectionId ? -1 : 1));
    return { ...{ from, until, reports: all }, ...reconciled };
  },
  report: (connection, day) => recorded.ask(({ settlementReport }) => settlementReport(connection, day)),
  async *expected({ from, until, connection }) {
    const read = async (day: Day): Promise<ExpectedDay[]> => {
      const request = { day, ...hoursOf(day), connection };
      const { steps, planned } = await recorded.ask(({ expected }) => expected(request));
      return expectedDays(day, steps, planned);
    };
    for (let day = from; day <= until; day = addDays(day, 2)) {
      const pair = [day, addDays(day, 1)].filter((one) => one <= until);
      yield (await Promise.all(pair.map(read))).flat();
    }
  },
});

const hoursOf = (day: Day) => ({ from: startOfSydneyDay(day), until: startOfSydneyDay(addDays(day, 1)) });

const absentReport = (connectionId: string, state: DayReport['state']): DayReport => ({
  ...{ connectionId, state, problem: undefined, checksum: undefined },
  ...{ lineCount: 0, fetchedAt: undefined },
});
