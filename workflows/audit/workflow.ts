// One audit of a connection: the provider's log of what it pushed, so that what never arrived is handed in all the same.
import { settledIn } from '../../domain/facts/audit.js';
import { runScheduled } from '../entity/engine/temporal.js';
import { detailsOf, detailsOfReport } from './view.js';
import type { AuditEnd, AuditInput } from './contract.js';

export const audit = ({ connectionId }: AuditInput): Promise<AuditEnd> =>
  runScheduled(
    detailsOf(connectionId),
    (calls, before) => calls.auditDeliveries({ connectionId, settledUntil: settledIn(before) }),
    detailsOfReport,
  );
