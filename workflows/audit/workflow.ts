// One audit of a connection: reads the provider's log of deliveries and delivers the events that never arrived.
import { settledIn } from '../../domain/sweep/audit.js';
import { runScheduled } from '../on-temporal/run.js';
import { detailsOf, detailsOfReport } from './view.js';
import type { AuditEnd, AuditInput } from './contract.js';

export const audit = ({ connectionId }: AuditInput): Promise<AuditEnd> =>
  runScheduled(
    detailsOf(connectionId),
    (calls, before) => calls.auditDeliveries({ connectionId, settledUntil: settledIn(before) }),
    detailsOfReport,
  );
