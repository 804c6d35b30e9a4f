// What a sweep's run says of itself: its report as result, and the same in words.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FINDINGS, newReport, withFinding, withMissing } from '../../domain/sweep.js';
import { wordsOf } from '../../workflows/sweep/view.js';
import { SWEEP_WORKFLOW, sweepId } from '../../workflows/sweep/contract.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { only } from './provider.js';
import type { SweepReport } from '../../domain/sweep.js';

const temporal = useTemporal();
const Metadata = z.object({ currentDetails: z.string() });

const REPORT: SweepReport = {
  ...withMissing(
    FINDINGS.reduce((report, finding) => withFinding(report, finding, `agr-${finding}`), {
      ...newReport('acme', '2026-01-01T00:00:00.000Z'),
      pages: 1,
    }),
    ['agr-nowhere'],
  ),
  endedAt: '2026-01-01T00:00:09.000Z',
};

test('a run ends with its report, and its page says what it does and then what it found', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const asked: unknown[] = [];
  const sweepAgreements = async (task: unknown) => {
    asked.push(task);
    await finished;
    return REPORT;
  };
  await temporal.run(only({ sweepAgreements }), async () => {
    const workflowId = `${sweepId('acme')}-${randomUUID()}`;
    const { client, taskQueue } = temporal;
    const args = [{ connectionId: 'acme' }];
    const handle = await client.workflow.start(SWEEP_WORKFLOW, { taskQueue, workflowId, args });
    const words = async () =>
      Metadata.parse(await handle.query('__temporal_workflow_metadata')).currentDetails;
    await eventually(() => Promise.resolve(asked.length), (count) => count === 1); // prettier-ignore
    expect(await words()).toContain('### Sweep of connection/acme\n');
    expect(await words()).toContain('**Next:** the report.');
    finish();
    expect(await handle.result()).toEqual(REPORT);
    expect(asked).toEqual([{ connectionId: 'acme', told: [] }]);
    expect(await words()).toBe(wordsOf(REPORT));
    const { historyLength } = await handle.describe();
    expect(historyLength).toBeLessThanOrEqual(11);
  });
});

describe('the words of a report', () => {
  test('tell every figure and every name', () => {
    const words = wordsOf(REPORT);
    expect(words).toContain('9 seen, 1 told to look');
    expect(words).toContain('From 2026-01-01 00:00:00 UTC to 2026-01-01 00:00:09 UTC, in 1 requests.');
    expect(words.match(/^- \*\*1\*\* /gm)).toHaveLength(FINDINGS.length + 1);
    for (const uid of Object.values(REPORT.named).flat()) expect(words).toContain(`\`${uid}\``);
    expect(words).not.toContain('Stopped');
  });

  test('leave out what was not met, and say what is not known and why it ended early', () => {
    const words = wordsOf({
      ...newReport('acme', '2026-01-01T00:00:00.000Z'),
      stopped: 'needs_reauthorisation',
    });
    expect(words).toContain('> **Stopped: needs_reauthorisation.** the merchant has to consent again');
    expect(words).toContain('Not known whether all of ours are there');
    expect(words).not.toMatch(/\*\*0\*\*/);
  });

  test.each(['needs_reauthorisation', 'forbidden', 'rejected', 'endless_list'])(
    'say what %s means',
    (stopped) => {
      const words = wordsOf({ ...newReport('acme', '2026-01-01T00:00:00.000Z'), stopped });
      expect(words).toContain(`> **Stopped: ${stopped}.** `);
      expect(words).not.toContain('See the activity.');
    },
  );
});
