// One audit of a connection: the provider's log of what it pushed, so that what never arrived is handed in all the same.
// In:  the schedule that activities/sweep/schedule.ts keeps.
// Out: activities/audit-deliveries.ts. What it finds is its result.
import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { settledIn } from '../../domain/audit.js';
import { interruptibleCalls } from '../entity/temporal.js';
import { detailsOf, detailsOfReport } from './view.js';
import type { AuditEnd, AuditInput } from './contract.js';

export async function audit({ connectionId }: AuditInput): Promise<AuditEnd> {
  setCurrentDetails(detailsOf(connectionId));
  const { lastResult } = workflowInfo();
  const report = await interruptibleCalls().auditDeliveries({
    connectionId,
    settledUntil: settledIn(lastResult),
  });
  setCurrentDetails(detailsOfReport(report));
  return report;
}
