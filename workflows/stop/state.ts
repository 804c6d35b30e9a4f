// What the stop of payments keeps, and what commands change in it. Plain JSON and pure.
import type { Instant } from '../../domain/facts/fact.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Resumption, Stop, StopRequest } from '../../domain/payment/stop.js';

export interface State {
  /** One of each connection at the most, and one of all. */
  stops: Stop[];
  /** The newest, oldest first. */
  liftings: Resumption[];
  awaiting: Awaiting;
}

/** So many liftings are kept, for a reader; all are in the histories of the runs. */
const LIFTINGS_KEPT = 20;

export const newStop = (now: Instant): State => ({
  stops: [],
  liftings: [],
  awaiting: { what: 'nothing', since: now },
});

const isOf =
  ({ connectionId }: StopRequest) =>
  (stop: StopRequest): boolean =>
    stop.connectionId === connectionId;

/** The first reason stands. */
export const withStop = (state: State, asked: StopRequest, now: Instant): State =>
  state.stops.some(isOf(asked)) ? state : { ...state, stops: [...state.stops, { ...asked, since: now }] };

export function withLifting(state: State, asked: StopRequest, now: Instant): State {
  const isLifted = isOf(asked);
  if (!state.stops.some(isLifted)) return state;
  return {
    ...state,
    stops: state.stops.filter((stop) => !isLifted(stop)),
    liftings: [...state.liftings, { ...asked, at: now }].slice(-LIFTINGS_KEPT),
  };
}
