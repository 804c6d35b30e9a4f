// The ids and types of audits. Each connection has one schedule.
import type { AuditReport } from '../../domain/sweep/audit.js';

export const AUDIT_WORKFLOW = 'audit';
/** The schedule's id. Temporal appends the start time for the id of a run. */
export const auditId = (connectionId: string): string => `audit/${connectionId}`;

export interface AuditInput {
  connectionId: string;
}

/** The result of a run. The next run of the schedule receives it and reads only newer deliveries. */
export type AuditEnd = AuditReport;
