import { randomUUID } from 'node:crypto';
import {
  ONBOARDING_WORKFLOW,
  commandOnboarding,
  getOnboarding,
  onboardingWorkflowId,
  progressReports,
  type OnboardingView,
} from '../../workflows/onboarding/contract.js';
import { eventually, type Temporal } from '../support/temporal.js';
import { ALL_WELL, someParts } from '../support/workflows/onboarding-parts.js';
import { handedOver } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartName } from '../../domain/onboarding/steps.js';
import type { onboarding } from '../../workflows/onboarding/workflow.js';
import type { Scripts } from './script.js';

type Handle = WorkflowHandle<typeof onboarding>;

const start = ({ client, taskQueue }: Temporal): Promise<Handle> => {
  const id = `onb-${randomUUID()}`;
  return client.workflow.start<typeof onboarding>(ONBOARDING_WORKFLOW, {
    taskQueue,
    workflowId: onboardingWorkflowId(id),
    args: [{ id, connectionId: 'acme', requested: {}, ...someParts() }],
  });
};

const until = (handle: Handle, isIt: (view: OnboardingView) => boolean): Promise<OnboardingView> =>
  eventually(() => handle.query(getOnboarding), isIt);

const report = (handle: WorkflowHandle, part: PartName, reading: Reading): Promise<void> =>
  handle.signal(progressReports, { part, uid: someParts().parts[part].uid, reading });

const allStand = (at: Partial<Record<PartName, Reading>>): Pick<Activities, 'startPart' | 'readPart'> => ({
  startPart: () => Promise.resolve(false),
  readPart: ({ part }) => Promise.resolve({ reading: { ...ALL_WELL, ...at }[part] }),
});

export const ONBOARDING_SCRIPTS: Scripts = {
  'onboarding-abandoned': {
    activities: allStand({ agreement: { state: 'declined' } }),
    live: async (temporal) => {
      const handle = await start(temporal);
      await until(handle, ({ state }) => state === 'stopped');
      const use = { key: 'key-abandonment', uid: 'onb-1', body: 'digest' };
      await handle.executeUpdate(commandOnboarding, {
        args: [{ kind: 'abandonment', reason: 'as agreed', by: 'key-1', use }],
      });
      await handle.result();
      return [handle];
    },
  },
  'onboarding-continued-as-new': {
    activities: allStand({ agreement: { state: 'created' } }),
    live: async (temporal) => {
      const handle = await start(temporal);
      await until(handle, (view) => view.awaiting.what === 'payer-decision');
      const runs = await handedOver(temporal, handle);
      await report(runs[1], 'agreement', ALL_WELL.agreement);
      await runs[1].result();
      return runs;
    },
  },
};
