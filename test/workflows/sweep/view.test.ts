// What the page of a sweep says of its report.
import { expect, test } from 'vitest';
import { FINDINGS, newReport, withFinding, withMissing } from '../../../domain/sweep.js';
import { detailsOfEnd } from '../../../workflows/sweep/view.js';
import type { SweepEnd } from '../../../workflows/sweep/contract.js';

const WHEN = '2026-01-01T00:00:00.000Z';
const everything = (noun: string) => ({
  ...withMissing(
    FINDINGS.reduce((report, finding) => withFinding(report, finding, `${noun}-${finding}`), {
      ...newReport('acme', WHEN),
      pages: 1,
      asked: 2,
    }),
    `${noun}-nowhere`,
  ),
  endedAt: '2026-01-01T00:00:09.000Z',
});
const END: SweepEnd = { ...everything('agr'), payments: everything('pay'), resumed: 7 };

test('every figure and every name, of agreements and of payments', () => {
  const details = detailsOfEnd(END);
  expect(details).toContain('### Sweep of connection/acme: 2 signalled');
  expect(details).toContain('From 2026-01-01 00:00:00 UTC to 2026-01-01 00:00:09 UTC.');
  for (const what of ['Agreements', 'Payments'])
    expect(details).toContain(`#### ${what}: 9 seen, 1 signalled, in 3 requests`);
  expect(details).toContain('**7** that waited for consent were resumed.');
  expect(details.match(/^- \*\*1\*\* /gm)).toHaveLength(2 * (FINDINGS.length + 1));
  for (const uid of [END.named, END.payments.named].flatMap((named) => Object.values(named).flat()))
    expect(details).toContain(`\`${uid}\``);
  expect(details).not.toContain('Stopped');
});

const stopped = (code: string): SweepEnd => {
  const report = { ...newReport('acme', WHEN), stopped: code };
  return { ...report, payments: report };
};

test('not what was not met, but what is not known and why it ended early', () => {
  const details = detailsOfEnd(stopped('needs_reauthorisation'));
  expect(details).toContain('> **Stopped: needs_reauthorisation.** the merchant has to consent again');
  expect(details).toContain('Not known whether all of ours are there');
  expect(details).toContain('What waits for consent was not resumed');
  expect(details).not.toMatch(/\*\*0\*\*/);
});

test.each(['needs_reauthorisation', 'forbidden', 'refused', 'endless_list'])('what %s means', (code) => {
  const details = detailsOfEnd(stopped(code));
  expect(details).toContain(`> **Stopped: ${code}.** `);
  expect(details).not.toContain('See the activity.');
});
