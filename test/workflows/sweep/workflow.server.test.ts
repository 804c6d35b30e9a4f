import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newReport, type SweepReport } from '../../../domain/sweep/comparison.js';
import { SWEEP_WORKFLOW, sweepId } from '../../../workflows/sweep/contract.js';
import { detailsOfEnd } from '../../../workflows/sweep/view.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { only } from '../../support/workflows/provider.js';
import { unanswered } from '../../support/workflows/virtual.js';

const temporal = useTemporal();
const Metadata = z.object({ currentDetails: z.string() });
const UNREAD = newReport('acme', '2026-01-01T00:00:00.000Z');
const FLOAT_ACCOUNTS = { listed: 2, started: 1 };
const READ: SweepReport = { ...UNREAD, pages: 1, endedAt: '2026-01-01T00:00:09.000Z' };

function answering(agreements: Promise<SweepReport>, payments: SweepReport) {
  const asked: unknown[] = [];
  const answer =
    <T>(what: string, with_: T | Promise<T>) =>
    (args: object): Promise<T> => {
      asked.push({ what, ...args });
      return Promise.resolve(with_);
    };
  const activities = only({
    sweepList: ({ resource, connectionId, before }) =>
      answer(
        resource,
        { agreement: agreements, payment: payments, refund: UNREAD }[resource],
      )({
        connectionId,
        before,
      }),
    startFloatAccounts: answer('float accounts', FLOAT_ACCOUNTS),
    resumeBlocked: answer('resume', 3),
  });
  return { asked, activities };
}

const start = () =>
  temporal.client.workflow.start(SWEEP_WORKFLOW, {
    taskQueue: temporal.taskQueue,
    workflowId: `${sweepId('acme')}-${randomUUID()}`,
    args: [{ connectionId: 'acme' }],
  });

test('a sweep returns all reports and shows its progress and result in the details', async () => {
  const { answer, open } = unanswered<SweepReport>();
  const { asked, activities } = answering(answer, READ);
  await temporal.run(activities, async () => {
    const handle = await start();
    const details = async () =>
      Metadata.parse(await handle.query('__temporal_workflow_metadata')).currentDetails;
    await eventually(
      () => Promise.resolve(asked.length),
      (count) => count === 1,
    );
    expect(await details()).toContain('### Sweep of connection/acme\n');
    expect(await details()).toContain('**Next:** the report.');
    open(READ);
    const reports = { agreement: READ, payment: READ, refund: UNREAD };
    const end = { connectionId: 'acme', reports, floatAccounts: FLOAT_ACCOUNTS, resumed: 3 };
    expect(await handle.result()).toEqual(end);
    expect(asked).toEqual([
      { what: 'agreement', connectionId: 'acme', before: [] },
      { what: 'payment', connectionId: 'acme', before: [] },
      { what: 'refund', connectionId: 'acme', before: [] },
      { what: 'float accounts', connectionId: 'acme' },
      { what: 'resume', connectionId: 'acme' },
    ]);
    expect(await details()).toBe(detailsOfEnd(end));
    const { historyLength } = await handle.describe();
    expect(historyLength).toBeLessThanOrEqual(35);
  });
});

test('a sweep resumes blocked workflows only if the provider answered', async () => {
  const stopped = { ...UNREAD, stopped: 'forbidden' };
  for (const [payments, resumes] of [
    [stopped, 0],
    [READ, 1],
  ] as const) {
    const { asked, activities } = answering(Promise.resolve(stopped), payments);
    await temporal.run(activities, async () => {
      await (await start()).result();
    });
    expect(asked).toHaveLength(4 + resumes);
  }
});
