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

/** The stops that a request is about: of one connection, or those that apply to all connections, but never both. */
const isMeant = (stop: Stop, { connectionId, stoppedBy }: ResumptionRequest): boolean =>
  stop.connectionId === connectionId && (stoppedBy === undefined || stop.by === stoppedBy);

/** A stop belongs to the principal that made it. Another one needs an approval of a second principal, which does not cover later stops. */
const mayEnd = (stop: Stop, { by, stoppedBy, approval }: ResumptionRequest): boolean =>
  stop.by === by || (stop.by === stoppedBy && covers(approval, stop, by));

const covers = (approval: ResumptionRequest['approval'], { since }: Stop, by: string): boolean =>
  approval !== undefined && approval.by !== by && Date.parse(since) < Date.parse(approval.requestedAt);

/** Whether every stop that the request is about belongs to others, and nothing would end. */
export function isOfOthers({ stops }: Pick<StopRecord, 'stops'>, request: ResumptionRequest): boolean {
  const meant = stops.filter((stop) => isMeant(stop, request));
  return meant.length > 0 && meant.every((stop) => !mayEnd(stop, request));
}

/** Ends the stops that the request is about and may end. */
export function recordResumption(record: StopRecord, request: ResumptionRequest, at: Instant): StopRecord {
  const isLeft = (stop: Stop): boolean => !isMeant(stop, request) || !mayEnd(stop, request);
  if (record.stops.every(isLeft)) return record;
  const resumptions = [...record.resumptions, { ...request, at }].slice(-MOST_RESUMPTIONS);
  return { stops: record.stops.filter(isLeft), resumptions };
}

/** Whether payments of that connection are stopped. */
export const isStopped = (stops: readonly Stop[], of: string): boolean =>
  stops.some(({ connectionId }) => connectionId === undefined || connectionId === of);
