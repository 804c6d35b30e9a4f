// What the page of an audit says of its report.
import { expect, test } from 'vitest';
import { OUTCOMES, newAudit, withOutcome } from '../../../domain/audit.js';
import { detailsOfReport } from '../../../workflows/audit/view.js';

const AT = '2026-01-01T00:00:00.000Z';

test('every figure and every name', () => {
  const report = OUTCOMES.reduce(
    (sum, outcome) => withOutcome(sum, outcome, [`of-${outcome}`]),
    newAudit('acme', AT, undefined),
  );
  const details = detailsOfReport({ ...report, underWay: 1, elsewhere: 1, endedAt: AT });
  expect(details).toContain('3 missed, 1 handed in');
  expect(details.match(/^- \*\*1\*\* /gm)).toHaveLength(OUTCOMES.length + 2);
  for (const outcome of OUTCOMES) expect(details).toContain(`${outcome}: \`of-${outcome}\``);
  expect(details).not.toContain('Stopped');
});

test.each(['needs_reauthorisation', 'forbidden', 'refused', 'endless_list'])('what %s means', (stopped) => {
  const details = detailsOfReport({ ...newAudit('acme', AT, undefined), stopped });
  expect(details.split(`> **Stopped: ${stopped}.** `)).toHaveLength(2);
  expect(details).not.toContain('See the activity.');
});
