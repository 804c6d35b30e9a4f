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
  /** Ends the stops of this principal; absent: those of `by`. */
  stoppedBy?: string | undefined;
  /** Another principal approved the request. It covers the stops that were in force when it was requested. */
  approval?: { by: string; requestedAt: Instant } | undefined;
}

export interface Resumption extends ResumptionRequest {
  at: Instant;
}

export interface StopRecord {
  stops: readonly Stop[];
  /** The newest, oldest first. The records have all of them. */
  resumptions: readonly Resumption[];
  /** When a principal last requested a stop again that was in force. Without those whose stops have all ended. */
  repeats?: readonly Repeat[] | undefined;
}

type Repeat = Pick<Stop, 'connectionId' | 'by'> & { at: Instant };

const isOfOne = (one: Omit<Repeat, 'at'>, other: Omit<Repeat, 'at'>): boolean =>
  one.connectionId === other.connectionId && one.by === other.by;

/** The most reasons of one principal for one connection. Its payments are stopped already, so a further reason is not stored. */
const MOST_REASONS = 20;
const MOST_RESUMPTIONS = 20;

/** Records a stop. A repeat keeps the first date, and is noted, because no earlier approval covers it. */
export function applyStop(record: StopRecord, request: StopRequest, since: Instant): StopRecord {
  const { connectionId, reason, by } = request;
  const own = record.stops.filter((stop) => isOfOne(stop, request));
  const isStored = own.length >= MOST_REASONS || own.some((stop) => stop.reason === reason);
  if (!isStored) return { ...record, stops: [...record.stops, { ...request, since }] };
  const others = (record.repeats ?? []).filter((one) => !isOfOne(one, request));
  return { ...record, repeats: [...others, { connectionId, by, at: since }] };
}

/** The stops that a request is about: of one connection, or those that apply to all connections, but never both. */
const isMeant = (stop: Stop, { connectionId, stoppedBy }: ResumptionRequest): boolean =>
  stop.connectionId === connectionId && (stoppedBy === undefined || stop.by === stoppedBy);

/** A stop belongs to the principal that made it. Another one needs an approval of a second principal, which does not cover later stops. */
const mayEnd = (
  { repeats = [] }: Pick<StopRecord, 'repeats'>,
  stop: Stop,
  { by, stoppedBy, approval }: ResumptionRequest,
): boolean => {
  if (stop.by === by) return true;
  if (stop.by !== stoppedBy || approval === undefined || approval.by === by) return false;
  const requestedMs = Date.parse(approval.requestedAt);
  const repeated = repeats.find((one) => isOfOne(one, stop))?.at ?? stop.since;
  return Date.parse(stop.since) < requestedMs && Date.parse(repeated) < requestedMs;
};

/** Whether every stop that the request is about belongs to others, and nothing would end. */
export function isOfOthers(
  record: Pick<StopRecord, 'stops' | 'repeats'>,
  request: ResumptionRequest,
): boolean {
  const meant = record.stops.filter((stop) => isMeant(stop, request));
  return meant.length > 0 && meant.every((stop) => !mayEnd(record, stop, request));
}

/** Ends the stops that the request is about and may end. */
export function applyResumption(record: StopRecord, request: ResumptionRequest, at: Instant): StopRecord {
  const isLeft = (stop: Stop): boolean => !isMeant(stop, request) || !mayEnd(record, stop, request);
  if (record.stops.every(isLeft)) return record;
  const resumptions = [...record.resumptions, { ...request, at }].slice(-MOST_RESUMPTIONS);
  const stops = record.stops.filter(isLeft);
  const repeats = record.repeats?.filter((one) => stops.some((stop) => isOfOne(one, stop)));
  return { stops, resumptions, repeats };
}

/** Whether payments of that connection are stopped. */
export const isStopped = (stops: readonly Stop[], of: string): boolean =>
  stops.some(({ connectionId }) => connectionId === undefined || connectionId === of);
