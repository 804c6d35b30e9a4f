// Stops of payments, one per principal, connection and reason. Plain JSON and pure.
import type { Instant } from '../facts/fact.js';

export interface Stop {
  /** The connection whose payments stop; absent: all payments stop. */
  connectionId?: string | undefined;
  reason: string;
  by: string;
  since: Instant;
}

export type StopRequest = Omit<Stop, 'since'>;

export interface ResumptionRequest extends StopRequest {
  /** Ends only the stops of this principal; absent: those of every principal. */
  stoppedBy?: string | undefined;
}

export interface Resumption extends ResumptionRequest {
  at: Instant;
}

export interface StopRecord {
  stops: readonly Stop[];
  /** The newest, oldest first. */
  resumptions: readonly Resumption[];
}

/** The most reasons of one principal for one connection. Its payments are stopped already, so a further reason is not stored. */
const MOST_REASONS = 20;
const MOST_RESUMPTIONS = 20;

/** Records a stop. A repeat changes nothing, and the first date stays. */
export function recordStop(record: StopRecord, request: StopRequest, since: Instant): StopRecord {
  const { connectionId, reason, by } = request;
  const own = record.stops.filter((stop) => stop.connectionId === connectionId && stop.by === by);
  const isStored = own.length >= MOST_REASONS || own.some((stop) => stop.reason === reason);
  return isStored ? record : { ...record, stops: [...record.stops, { ...request, since }] };
}

/** Ends the stops of one connection, or those that apply to all connections, but never both. */
export function recordResumption(record: StopRecord, request: ResumptionRequest, at: Instant): StopRecord {
  const { connectionId, stoppedBy } = request;
  const isLeft = (stop: Stop): boolean =>
    stop.connectionId !== connectionId || (stoppedBy !== undefined && stop.by !== stoppedBy);
  if (record.stops.every(isLeft)) return record;
  const resumptions = [...record.resumptions, { ...request, at }].slice(-MOST_RESUMPTIONS);
  return { stops: record.stops.filter(isLeft), resumptions };
}

/** Whether payments of that connection are stopped. */
export const isStopped = (stops: readonly Stop[], of: string): boolean =>
  stops.some(({ connectionId }) => connectionId === undefined || connectionId === of);
