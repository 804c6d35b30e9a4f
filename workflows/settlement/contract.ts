// The ids and types of the fetching of settlement reports. Each connection has one schedule.
import type { SettlementFetched } from '../../activities/settlement/fetch.js';

export const SETTLEMENT_WORKFLOW = 'settlement';
/** The schedule's id. Temporal appends the start time for the id of a run. */
export const settlementId = (connectionId: string): string => `settlement/${connectionId}`;

export interface SettlementInput {
  connectionId: string;
}

/** The result of a run. */
export type SettlementEnd = SettlementFetched;
