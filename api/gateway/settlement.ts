// Compares a day with its settlement reports.
import { startOfSydneyDay } from '../../domain/time/sydney.js';
import { addDays } from '../../domain/time/calendar.js';
import { absentState } from '../../domain/settlement/reconciliation.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Compared, DayReport, ReconciliationException } from '../../domain/settlement/reconciliation.js';
import type { Day } from '../../domain/time/calendar.js';
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

const MOST_EXCEPTIONS = 500;

interface SettlementGateway {
  /** @param now for the state of a missing report. @throws ApiError `records_unavailable` */
  reconcile: (day: Day, connection: string | undefined, now: Instant) => Promise<DayReconciliation>;
}

export const createSettlementGateway = ({ recorded }: Pick<Calls, 'recorded'>): SettlementGateway => ({
  reconcile: async (day, connection, now) => {
    const [from, until] = [startOfSydneyDay(day), startOfSydneyDay(addDays(day, 1))];
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
});

const absentReport = (connectionId: string, state: DayReport['state']): DayReport => ({
  ...{ connectionId, state, problem: undefined, checksum: undefined },
  ...{ lineCount: 0, fetchedAt: undefined },
});
