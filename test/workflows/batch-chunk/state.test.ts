import { expect, test } from 'vitest';
import { isOver, newChunk, applyDirection, unansweredIn } from '../../../workflows/batch-chunk/state.js';
import type { RowAnswer } from '../../../domain/batch/rows.js';

const AT = '2026-11-01T00:00:00.000Z';
const aRow = (uid: string) => ({ kind: 'identifications' as const, uid, ask: {} });

test('unanswered rows are started again, and an abandoned batch says that they may have started', () => {
  const blocked: RowAnswer = { outcome: 'blocked', at: AT, isUnanswered: true };
  const request = { batch: 'b', n: 0, first: 0, kind: 'identifications', isDryRun: false } as const;
  const rows = [aRow('agr-0'), aRow('agr-1')];
  const state = newChunk({ ...request, requestedBy: 'k', rows, answers: [blocked, null] }, AT);
  expect(unansweredIn(state, [0, 1])).toEqual(['agr-0']);
  const abandoned = applyDirection(state, { course: 'abandoned', version: 1 }, AT);
  expect(abandoned.answers).toMatchObject([{ outcome: 'parked' }, { outcome: 'abandoned' }]);
  expect(isOver(abandoned)).toBe(true);
});
