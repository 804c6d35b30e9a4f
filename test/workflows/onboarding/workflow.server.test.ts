import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  ONBOARDING_WORKFLOW,
  getOnboarding,
  onboardingWorkflowId,
  progressReports,
} from '../../../workflows/onboarding/contract.js';
import { ALL_WELL, someParts } from '../../support/workflows/onboarding-parts.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import type { PartName } from '../../../domain/onboarding/steps.js';
import type { onboarding } from '../../../workflows/onboarding/workflow.js';

const temporal = useTemporal();

test('an onboarding starts each part once and in order after the report of the previous one', async () => {
  const id = `onb-${randomUUID()}`;
  const started: string[] = [];
  const handle = temporal.client.workflow.getHandle<typeof onboarding>(onboardingWorkflowId(id));
  const report = (part: PartName) =>
    handle.signal(progressReports, {
      part,
      uid: someParts().parts[part]?.uid ?? '',
      reading: ALL_WELL[part],
    });
  await temporal.run(
    { startPart: ({ part }) => Promise.resolve(started.push(part) > 0), readPart: () => Promise.resolve({}) },
    async () => {
      await temporal.client.workflow.start<typeof onboarding>(ONBOARDING_WORKFLOW, {
        taskQueue: temporal.taskQueue,
        workflowId: onboardingWorkflowId(id),
        args: [{ id, connectionId: 'acme', requested: {}, ...someParts() }],
      });
      await eventually(
        () => Promise.resolve(started),
        (parts) => parts.length === 1,
      );
      await report('counterparty');
      await eventually(
        () => Promise.resolve(started),
        (parts) => parts.length === 2,
      );
      await report('client');
      await eventually(
        () => Promise.resolve(started),
        (parts) => parts.length === 3,
      );
      await report('agreement');
      await eventually(
        () => handle.query(getOnboarding),
        ({ awaiting }) => awaiting.what === 'settlement',
      );
      await report('payment');
      expect(await handle.result()).toMatchObject({ state: 'done' });
      expect(started).toEqual(['counterparty', 'client', 'agreement']);
    },
  );
});
