// How an audit of deliveries is addressed: its schedule, which is one for each connection, and what a run is given and leaves behind.
import type { AuditReport } from '../../domain/facts/audit.js';

export const AUDIT_WORKFLOW = 'audit';
/** The schedule's id; a run has the same with the time of its start behind it. */
export const auditId = (connectionId: string): string => `audit/${connectionId}`;

export interface AuditInput {
  connectionId: string;
}

/** What a run ends with. The next run of the schedule is given it, and so reads no further back. */
export type AuditEnd = AuditReport;
