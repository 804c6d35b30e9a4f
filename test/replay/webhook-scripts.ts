import { randomUUID } from 'node:crypto';
import {
  sendWebhookNow,
  webhookEndpointChanged,
  webhookEndpointWorkflowId,
} from '../../workflows/webhook-endpoint/contract.js';
import { isFound } from '../../delivery/open.js';
import { eventually } from '../support/temporal.js';
import type { Scripts } from './script.js';

export const WEBHOOK_SCRIPTS: Scripts = {
  'webhook-endpoint-disabled-then-deleted': {
    activities: endpointActivities(),
    live: async ({ client, taskQueue }) => {
      const endpointId = `we_${randomUUID()}`;
      const handle = await client.workflow.start('webhook-endpoint', {
        ...{ taskQueue, workflowId: webhookEndpointWorkflowId(endpointId), args: [{ endpointId }] },
      });
      await handle.executeUpdate(sendWebhookNow, { args: [{ test: true }] });
      // Each signal ends one pause. The run may end at any time, and then there is none to signal.
      await eventually(
        () => isFound(handle.signal(webhookEndpointChanged)),
        (isRunning) => !isRunning,
      );
      await handle.result();
      return [handle];
    },
  },
};

function endpointActivities(): Scripts[string]['activities'] {
  const reports = ['again', 'disabled', 'disabled', 'unconfirmed', 'gone'] as const;
  const flag = {
    code: 'undelivered',
    since: '2026-01-01T00:00:00.000Z',
    detail: 'An event.',
    next: 'Resend it.',
  };
  let calls = 0;
  return {
    deliverWebhooks: () => {
      const is = reports[Math.min(calls, reports.length - 1)] ?? 'gone';
      calls += 1;
      const attention = is === 'disabled' ? [{ ...flag, code: 'undelivered' as const }] : [];
      return Promise.resolve({ is, waiting: calls % 2, attention });
    },
    sendWebhookOnce: () =>
      Promise.resolve({ deliveryId: 'delivery-1', outcome: 'delivered', status: 200, durationMs: 5 }),
  };
}
