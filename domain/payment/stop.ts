// A stop of payments: for one connection, or for all. Plain JSON and pure.
import type { Instant } from '../facts/fact.js';

export interface Stop {
  /** Whose payments are not sent; absent: no payments are sent at all. */
  connectionId?: string | undefined;
  reason: string;
  /** The id of the API key that was used. */
  by: string;
  since: Instant;
}

/** What a caller asks for, of a stop or of its lifting. */
export type StopRequest = Omit<Stop, 'since'>;

export interface Resumption extends StopRequest {
  at: Instant;
}

/** Whether payments of that connection may not be sent. */
export const isStopped = (stops: readonly Stop[], of: string): boolean =>
  stops.some(({ connectionId }) => connectionId === undefined || connectionId === of);
