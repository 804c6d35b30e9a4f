// The messages and types of payment stops: one run, which workers read before they send a payment.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Instant } from '../../domain/facts/fact.js';
import type { ResumptionRequest, Stop, StopRecord, StopRequest } from '../../domain/payment/stop.js';
import type { Recorded } from '../engine/recording.js';
import type { Carried } from '../contracts/upgrade.js';

export const STOP_WORKFLOW = 'stop';
export { STOP_WORKFLOW_ID } from '../contracts/signals.js';

export interface StopState extends StopRecord, Recorded {
  startedAt: Instant;
}

/** `carried` is set by continue-as-new. */
export interface StopInput {
  carried?: Carried<StopState> | undefined;
}
export type Stops = readonly Stop[];

/** Stops the payments of one connection, or of all. A repeat changes nothing. Returns the stops in force. */
export const stopPayments = defineUpdate<Stops, [StopRequest]>('stopPayments');
/** Returns the remaining stops. Refused with `stop_of_another`. */
export const resumePayments = defineUpdate<Stops, [ResumptionRequest]>('resumePayments');
export const getStops = defineQuery<Stops>('getStops');
