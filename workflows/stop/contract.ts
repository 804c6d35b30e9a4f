// How the outside world addresses the stop of payments: one run, which workers read before they send a payment.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Stop, StopRequest } from '../../domain/payment/stop.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { State } from './state.js';

export const STOP_WORKFLOW = 'stop';
/** There is one in a namespace; where there is none, nothing was ever stopped. */
export const STOP_WORKFLOW_ID = 'stop';

export interface StopInput {
  /** Everything that the run before knew. */
  carried?: Carried<State> | undefined;
}

/** What is stopped. */
export type Stops = readonly Stop[];

/** Nothing is sent any more for one connection, or for all. A repeat changes nothing. Answered with what is stopped then. */
export const stopPayments = defineUpdate<Stops, [StopRequest]>('stopPayments');
/** The stop of one connection, or that of all, is over. Answered with what is stopped then. */
export const liftStop = defineUpdate<Stops, [StopRequest]>('liftStop');
export const getStops = defineQuery<Stops>('getStops');

export const messages = { stopPayments, liftStop, getStops };
