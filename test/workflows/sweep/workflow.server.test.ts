// A sweep on a real Temporal server: its report is its result, and its page says the same.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newReport } from '../../../domain/sweep.js';
import { SWEEP_WORKFLOW, sweepId } from '../../../workflows/sweep/contract.js';
import { detailsOfReport } from '../../../workflows/sweep/view.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { only } from '../../support/workflows/provider.js';
import { unanswered } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { SweepReport } from '../../../domain/sweep.js';

const temporal = useTemporal();
const Metadata = z.object({ currentDetails: z.string() });
const REPORT: SweepReport = {
  ...newReport('acme', '2026-01-01T00:00:00.000Z'),
  endedAt: '2026-01-01T00:00:09.000Z',
};

test('a run ends with its report, and its page says what it does and then what it found', async () => {
  const { answer, open } = unanswered<SweepReport>();
  const asked: unknown[] = [];
  const sweepAgreements: Activities['sweepAgreements'] = (args) => {
    asked.push(args);
    return answer;
  };
  await temporal.run(only({ sweepAgreements }), async () => {
    const workflowId = `${sweepId('acme')}-${randomUUID()}`;
    const { client, taskQueue } = temporal;
    const args = [{ connectionId: 'acme' }];
    const handle = await client.workflow.start(SWEEP_WORKFLOW, { taskQueue, workflowId, args });
    const details = async () =>
      Metadata.parse(await handle.query('__temporal_workflow_metadata')).currentDetails;
    await eventually(
      () => Promise.resolve(asked.length),
      (count) => count === 1,
    );
    expect(await details()).toContain('### Sweep of connection/acme\n');
    expect(await details()).toContain('**Next:** the report.');
    open(REPORT);
    expect(await handle.result()).toEqual(REPORT);
    expect(asked).toEqual([{ connectionId: 'acme', before: [] }]);
    expect(await details()).toBe(detailsOfReport(REPORT));
    const { historyLength } = await handle.describe();
    expect(historyLength).toBeLessThanOrEqual(11);
  });
});
