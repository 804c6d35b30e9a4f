// Fetches the settlement reports of a connection that are due, and stores each version once.
import { REQUESTED_DAYS, daysToFetch, reportLateAt } from '../../domain/settlement/days.js';
import { addDays, type Day } from '../../domain/time/calendar.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { readDownload } from '../../payments-api/answers/settlement-report.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { isFinal, readFailure } from '../failure.js';
import type { ReportState } from '../../domain/settlement/report.js';
import type { ReportStored } from '../../domain/settlement/storage.js';
import type { Downloaded } from '../../payments-api/http/download.js';
import type { Dependencies } from '../dependencies.js';

/** `absent`: the provider has no report yet. `late`: it has none although its business day has ended. */
export interface FetchedDay {
  day: Day;
  found: ReportState | 'absent' | 'late';
  stored?: ReportStored | undefined;
}

export interface SettlementFetched {
  /** Oldest first. */
  days: FetchedDay[];
  /** Why no report could be fetched; a person must act. */
  stopped?: string | undefined;
}

export function fetchSettlementActivity(deps: Dependencies) {
  /** A repeat stores nothing twice. @throws ApplicationFailure as other reads do, except without consent or access. */
  return async function fetchSettlement(args: { connectionId: string }): Promise<SettlementFetched> {
    const fetched: SettlementFetched = { days: [] };
    try {
      await withHeartbeats(() => fetchAll(deps, args.connectionId, fetched.days));
      return fetched;
    } catch (error) {
      const failure = readFailure(error);
      if (isFinal(failure)) return { ...fetched, stopped: failure.type ?? 'unknown' };
      throw failure;
    }
  };
}

/** A day that fails does not hold back the others. @throws its error once all other days are fetched, so that the next attempt fetches what is missing. */
async function fetchAll(deps: Dependencies, connectionId: string, fetched: FetchedDay[]): Promise<void> {
  const failures: unknown[] = [];
  for (const day of await dueDays(deps, connectionId))
    try {
      fetched.push(await fetchDay(deps, connectionId, day));
    } catch (error) {
      if (isFinal(readFailure(error))) throw error;
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

async function dueDays({ records, now }: Dependencies, connectionId: string): Promise<Day[]> {
  const at = new Date(now()).toISOString();
  const since = await records.firstActivity(connectionId);
  if (since === undefined) return [];
  const stored = await records.storedDays(connectionId, addDays(sydneyDayOf(at), -REQUESTED_DAYS));
  return daysToFetch(at, since, stored);
}

async function fetchDay(deps: Dependencies, connectionId: string, day: Day): Promise<FetchedDay> {
  const at = new Date(deps.now()).toISOString();
  const downloaded = await download(deps, connectionId, day);
  if (downloaded === undefined) return { day, found: at >= reportLateAt(day) ? 'late' : 'absent' };
  const { read, content } = readDownload(downloaded, day);
  const { checksum } = downloaded;
  const stored = await deps.records.storeReport({ connectionId, day, content, checksum, read, at });
  return { day, found: read.state, stored };
}

/** Undefined if the provider has no report of that day, or its host no longer has it. */
async function download(
  { withAccess, payments }: Dependencies,
  connectionId: string,
  day: Day,
): Promise<Downloaded | undefined> {
  try {
    const { url } = await withAccess(connectionId, (call) => payments.requestSettlementReport(day, call));
    return await payments.downloadSettlementReport(url);
  } catch (error) {
    if (error instanceof PaymentsApiError && (error.code === 'not_found' || error.code === 'rejected'))
      return undefined;
    throw error;
  }
}
