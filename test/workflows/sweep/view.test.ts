// What the page of a sweep says of its report.
import { expect, test } from 'vitest';
import { FINDINGS, newReport, withFinding, withMissing } from '../../../domain/sweep.js';
import { detailsOfReport } from '../../../workflows/sweep/view.js';
import type { SweepReport } from '../../../domain/sweep.js';

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

test('every figure and every name', () => {
  const details = detailsOfReport(REPORT);
  expect(details).toContain('9 seen, 1 signalled');
  expect(details).toContain('From 2026-01-01 00:00:00 UTC to 2026-01-01 00:00:09 UTC, in 1 requests.');
  expect(details.match(/^- \*\*1\*\* /gm)).toHaveLength(FINDINGS.length + 1);
  for (const uid of Object.values(REPORT.named).flat()) expect(details).toContain(`\`${uid}\``);
  expect(details).not.toContain('Stopped');
});

test('not what was not met, but what is not known and why it ended early', () => {
  const report = { ...newReport('acme', '2026-01-01T00:00:00.000Z'), stopped: 'needs_reauthorisation' };
  const details = detailsOfReport(report);
  expect(details).toContain('> **Stopped: needs_reauthorisation.** the merchant has to consent again');
  expect(details).toContain('Not known whether all of ours are there');
  expect(details).not.toMatch(/\*\*0\*\*/);
});

test.each(['needs_reauthorisation', 'forbidden', 'rejected', 'endless_list'])('what %s means', (stopped) => {
  const details = detailsOfReport({ ...newReport('acme', '2026-01-01T00:00:00.000Z'), stopped });
  expect(details).toContain(`> **Stopped: ${stopped}.** `);
  expect(details).not.toContain('See the activity.');
});
