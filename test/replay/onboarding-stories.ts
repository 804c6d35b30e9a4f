import { randomUUID } from 'node:crypto';
import {
  ONBOARDING_WORKFLOW,
  commandOnboarding,
  getOnboarding,
  onboardingWorkflowId,
  progressReports,
} from '../../workflows/onboarding/contract.js';
import { eventually } from '../support/temporal.js';
import { ALL_WELL, someParts, someResources } from '../support/workflows/onboarding-parts.js';
import { handedOver } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { PartName, Reading } from '../../domain/onboarding/steps.js';
import type { CommandRequest, OnboardingView } from '../../workflows/onboarding/contract.js';
import type { onboarding } from '../../workflows/onboarding/workflow.js';
import type { Temporal } from '../support/temporal.js';
import type { Stories, Story } from './story.js';

type Handle = WorkflowHandle<typeof onboarding>;
type Resources = ReturnType<typeof someResources>;

const start = ({ client, taskQueue }: Temporal): Promise<Handle> => {
  const id = `onb-${randomUUID()}`;
  return client.workflow.start<typeof onboarding>(ONBOARDING_WORKFLOW, {
    taskQueue,
    workflowId: onboardingWorkflowId(id),
    args: [{ id, connectionId: 'acme', ...someParts() }],
  });
};

const until = (handle: Handle, isIt: (view: OnboardingView) => boolean): Promise<OnboardingView> =>
  eventually(() => handle.query(getOnboarding), isIt);

const say = (handle: Handle, kind: CommandRequest['kind'], parts?: CommandRequest['parts']) => {
  const use = { key: `key-${kind}`, uid: 'onb-1', body: 'digest' };
  return handle.executeUpdate(commandOnboarding, {
    args: [{ kind, reason: 'as agreed', by: 'key-1', use, parts }],
  });
};

const ending = (
  at: Partial<Record<PartName, Reading>>,
  live: (handle: Handle, resources: Resources, temporal: Temporal) => Promise<unknown> = () =>
    Promise.resolve(),
): Story => {
  const resources = someResources({ ...ALL_WELL, ...at });
  return {
    activities: { onboard: resources.onboard },
    live: async (temporal) => {
      const handle = await start(temporal);
      await live(handle, resources, temporal);
      await handle.result();
      return [handle];
    },
  };
};

const stopped = (handle: Handle) => until(handle, ({ state }) => state === 'stopped');

export const ONBOARDING_STORIES: Stories = {
  'onboarding-abandoned': ending({ agreement: { state: 'declined' } }, async (handle) => {
    await stopped(handle);
    await say(handle, 'abandonment');
  }),
  'onboarding-continued-as-new': (() => {
    const resources = someResources({ ...ALL_WELL, agreement: { state: 'created' } });
    return {
      activities: { onboard: resources.onboard },
      live: async (temporal) => {
        const handle = await start(temporal);
        await until(handle, (view) => view.awaiting.what === 'payer-decision');
        const runs = await handedOver(temporal, handle);
        resources.at.agreement = { state: 'active' };
        await runs[1].signal(progressReports, { workflowId: 'agreement/agr-1' });
        await runs[1].result();
        return runs;
      },
    };
  })(),
};
