import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { KEY_WORKFLOW, keyWorkflowId } from '../../workflows/key/contract.js';
import {
  NOTIFICATION_WORKFLOW,
  acknowledge,
  notificationWorkflowId,
  type NotificationInput,
} from '../../workflows/notification/contract.js';
import { REGISTRATION_WORKFLOW, claim } from '../../workflows/registration/contract.js';
import { aFact } from '../support/facts.js';
import { only } from '../support/workflows/provider.js';
import { ADOPTION_SCRIPTS } from './adoption-scripts.js';
import { AGREEMENT_SCRIPTS } from './agreement-scripts.js';
import { ATTEMPT_SCRIPTS } from './attempt-scripts.js';
import { BATCH_SCRIPTS } from './batch-scripts.js';
import { CLIENT_SCRIPTS } from './client-scripts.js';
import { COMMAND_SCRIPTS } from './command-scripts.js';
import { CONNECTION_SCRIPTS } from './connection-scripts.js';
import { COUNTERPARTY_SCRIPTS } from './counterparty-scripts.js';
import { FLOAT_SCRIPTS } from './float-scripts.js';
import {
  APPROVAL_WORKFLOW,
  approvalWorkflowId,
  approve,
  requestApproval,
  useApproval,
} from '../../workflows/approval/contract.js';
import { handedOver } from './lives.js';
import { ONBOARDING_SCRIPTS } from './onboarding-scripts.js';
import { PAYMENT_SCRIPTS } from './payment-scripts.js';
import { PLAN_SCRIPTS } from './plan-scripts.js';
import { REFUND_SCRIPTS } from './refund-scripts.js';
import { SWEEP_SCRIPTS } from './sweep-scripts.js';
import { WEBHOOK_SCRIPTS } from './webhook-scripts.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Temporal } from '../support/temporal.js';
import type { Scripts, Script } from './script.js';

const notified = (
  { client, taskQueue }: Temporal,
  about?: NotificationInput['about'],
): Promise<WorkflowHandle> => {
  const fact = aFact('float_accounts.unmatched_credit.received');
  const workflowId = notificationWorkflowId(randomUUID());
  const args = [{ resourceType: 'FloatBankTransaction', fact, about }];
  return client.workflow.start(NOTIFICATION_WORKFLOW, { taskQueue, workflowId, args });
};

export const SCRIPTS: Scripts = {
  ...AGREEMENT_SCRIPTS,
  ...ADOPTION_SCRIPTS,
  ...COMMAND_SCRIPTS,
  ...PAYMENT_SCRIPTS,
  ...ATTEMPT_SCRIPTS,
  ...PLAN_SCRIPTS,
  ...REFUND_SCRIPTS,
  ...CONNECTION_SCRIPTS,
  ...SWEEP_SCRIPTS,
  ...WEBHOOK_SCRIPTS,
  ...CLIENT_SCRIPTS,
  ...COUNTERPARTY_SCRIPTS,
  ...ONBOARDING_SCRIPTS,
  ...BATCH_SCRIPTS,
  ...FLOAT_SCRIPTS,
  'key-bound': {
    activities: { copyKey: () => Promise.resolve() },
    live: async ({ client, taskQueue }) => {
      const workflowId = keyWorkflowId(randomUUID());
      const args = [{ key: 'digest', resource: 'agreement', uid: 'agr-1', body: 'digest' }];
      const handle = await client.workflow.start(KEY_WORKFLOW, { taskQueue, workflowId, args });
      await handle.result();
      return [handle];
    },
  },
  'key-freed': {
    activities: { copyKey: () => Context.current().sleep('1h') },
    live: async ({ client, taskQueue }) => {
      const workflowId = keyWorkflowId(randomUUID());
      const args = [{ key: 'digest', resource: 'agreement', uid: 'agr-1', body: 'digest' }];
      const handle = await client.workflow.start(KEY_WORKFLOW, { taskQueue, workflowId, args });
      await handle.cancel();
      await handle.result().catch(() => undefined);
      return [handle];
    },
  },
  'approval-given': {
    activities: {},
    live: async ({ client, taskQueue }) => {
      const requested = { operation: 'revokeConnection', target: '/v1/connections/acme', digest: 'd' };
      const workflowId = approvalWorkflowId(randomUUID());
      const args = [{ ...requested, requestedBy: 'ops' }];
      const handle = await client.workflow.start(APPROVAL_WORKFLOW, { taskQueue, workflowId, args });
      const { requestedAt } = await handle.executeUpdate(requestApproval);
      await handle.executeUpdate(approve, { args: [{ ...requested, requestedAt, by: 'risk' }] });
      await handle.executeUpdate(useApproval, { args: [{ ...requested, requestedAt, by: 'ops' }] });
      await handle.result();
      return [handle];
    },
  },
  'registration-continued-as-new': {
    activities: {},
    live: async (temporal) => {
      const { client, taskQueue } = temporal;
      const workflowId = `registration/${randomUUID()}/53004085616`;
      const first = await client.workflow.start(REGISTRATION_WORKFLOW, {
        taskQueue,
        workflowId,
        args: [{ owner: 'first' }],
      });
      await first.executeUpdate(claim, { args: [{ uid: 'first' }] });
      const [before, newest] = await handedOver(temporal, first);
      await newest.executeUpdate(claim, { args: [{ uid: 'second' }] });
      return [before, newest];
    },
  },
  'notification-of-an-agreement-that-is-there': {
    activities: { followIfThere: () => Promise.resolve(true) },
    live: async (temporal) => {
      const run = await notified(temporal, { resource: 'agreement', uid: `agr-${randomUUID()}` });
      await run.result();
      return [run];
    },
  },
  'notification-continued-as-new': {
    activities: {},
    live: async (temporal) => {
      const [first, newest] = await handedOver(temporal, await notified(temporal));
      await newest.executeUpdate(acknowledge, { args: [{ by: 'ops', reason: 'read' }] });
      await newest.result();
      return [first, newest];
    },
  },
};

export const activitiesOf = (script: Script): Activities => only(script.activities);
