import { randomUUID } from 'node:crypto';
import { newAudit, endReport, applyOutcome, type AuditReport } from '../../domain/sweep/audit.js';
import { newReport, addFinding, addMissing, type SweepReport } from '../../domain/sweep/comparison.js';
import { AUDIT_WORKFLOW, auditId } from '../../workflows/audit/contract.js';
import { SWEEP_WORKFLOW, sweepId } from '../../workflows/sweep/contract.js';
import type { Scripts } from './script.js';

const swept = (connectionId: string): SweepReport => {
  const seen = addFinding(newReport(connectionId, '2026-01-01T00:00:00.000Z'), 'differing', 'agr-1', {
    uid: 'agr-1',
    here: 'active',
    there: 'suspended',
    times: 1,
  });
  return { ...addMissing(seen, 'agr-2'), endedAt: '2026-01-01T00:00:09.000Z' };
};

const audited = (connectionId: string): AuditReport =>
  endReport(
    applyOutcome(newAudit(connectionId, '2026-01-01T00:00:00.000Z', undefined), 'handedIn', ['agr-1']),
  );

export const SWEEP_SCRIPTS: Scripts = {
  'audit-with-a-missed-delivery': {
    activities: { auditDeliveries: ({ connectionId }) => Promise.resolve(audited(connectionId)) },
    live: async ({ client, taskQueue }) => {
      const connectionId = `con-${randomUUID()}`;
      const handle = await client.workflow.start(AUDIT_WORKFLOW, {
        taskQueue,
        workflowId: auditId(connectionId),
        args: [{ connectionId }],
      });
      await handle.result();
      return [handle];
    },
  },
  'sweep-with-a-difference': {
    activities: {
      sweepList: ({ connectionId }) => Promise.resolve({ ...swept(connectionId), pages: 1 }),
      startFloatAccounts: () => Promise.resolve({ listed: 0, started: 0, stopped: 'forbidden' }),
      resumeBlocked: () => Promise.resolve(0),
    },
    live: async ({ client, taskQueue }) => {
      const connectionId = `con-${randomUUID()}`;
      const handle = await client.workflow.start(SWEEP_WORKFLOW, {
        taskQueue,
        workflowId: sweepId(connectionId),
        args: [{ connectionId }],
      });
      await handle.result();
      return [handle];
    },
  },
};
