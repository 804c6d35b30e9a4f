// How the outside world addresses the stops of payments: one run, which workers read before they send a payment.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Instant } from '../../domain/facts/fact.js';
import type { ResumptionRequest, Stop, StopRecord, StopRequest } from '../../domain/payment/stop.js';
import type { Carried } from '../entity/engine/upgrade.js';

export const STOP_WORKFLOW = 'stop';
/** A namespace has one; without it, nothing was ever stopped. */
export const STOP_WORKFLOW_ID = 'stop';

export type State = StopRecord & { startedAt: Instant };

/** `carried`: set by continue-as-new. */
export interface StopInput {
  carried?: Carried<State> | undefined;
}
export type Stops = readonly Stop[];

/** Stops the payments of one connection, or of all. A repeat changes nothing. Answers the stops in force. */
export const stopPayments = defineUpdate<Stops, [StopRequest]>('stopPayments');
/** Answers the stops that are left. */
export const resumePayments = defineUpdate<Stops, [ResumptionRequest]>('resumePayments');
export const getStops = defineQuery<Stops>('getStops');
