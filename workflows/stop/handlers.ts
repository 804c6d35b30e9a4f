// What may be sent to the stop of payments, and what it changes.
import { withLifting, withStop } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StopRequest } from '../../domain/payment/stop.js';
import type { Handlers, MessageHandler } from '../entity/engine/handlers.js';
import type { Stops, messages } from './contract.js';
import type { State } from './state.js';

/** Changes the state, and answers with what is stopped then. */
const answering = (
  by: (state: State, asked: StopRequest, now: Instant) => State,
): MessageHandler<State, StopRequest, Stops> => ({
  handle: ({ read, update }, { now }, asked) => {
    update((state) => by(state, asked, now()));
    return read().stops;
  },
});

export const HANDLERS: Handlers<State, typeof messages> = {
  stopPayments: answering(withStop),
  liftStop: answering(withLifting),
  getStops: { read: ({ stops }) => stops },
};
