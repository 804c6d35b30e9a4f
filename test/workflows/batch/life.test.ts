import { describe, expect, test } from 'vitest';
import { MOST_BEGUN } from '../../../workflows/rows/state.js';
import { failure, nothingNew, refusalIn } from '../../support/workflows/provider.js';
import { HOUR, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import { batchIn, rowsIn } from '../../support/workflows/virtual-batches.js';
import type { Activities } from '../../../activities/index.js';
import type { BatchRow, Outcome, RowAnswer } from '../../../domain/batch/rows.js';

const AT = '2026-11-01T00:00:00.000Z';
const answerOf = (outcome: Outcome): RowAnswer => ({ outcome, at: AT });
const aRow = (uid: string): BatchRow => ({
  kind: 'identifications',
  uid,
  ask: { initiator: { client_id: 'c' } },
});
const named = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `agr-${from + index}`);

async function aBatch(sizes: readonly number[], given: Partial<Activities>) {
  const begun: string[][] = [];
  const { beginRows = ({ rows }) => Promise.resolve(rows.map(() => answerOf('done'))) } = given;
  const scene = inVirtualTime({
    ...given,
    beginRows: (task) => {
      begun.push(task.rows.map(({ uid }) => uid));
      return beginRows(task);
    },
  });
  const batch = await batchIn(scene, {
    id: 'b',
    kind: 'identifications',
    sizes: [...sizes],
    digest: 'd',
    requestedBy: 'k',
  });
  const runs = [];
  let first = 0;
  for (const [n, size] of sizes.entries()) {
    const rows = named(size, first).map(aRow);
    runs.push(await rowsIn(scene, { batch: 'b', n, first, kind: 'identifications', requestedBy: 'k', rows }));
    first += size;
  }
  return { scene, batch, runs, begun };
}

describe('a batch', () => {
  test('begins nothing before all its rows are there, then fifty at a time, one run after the other', async () => {
    const { scene, batch, runs, begun } = await aBatch([120, 10], {});
    expect(begun).toEqual([]);
    expect(batch.view().state).toBe('receiving');
    await batch.received();
    expect(begun.map(({ length }) => length)).toEqual([50, 50, 20, 10]);
    expect(begun.flat()).toEqual(named(130));
    expect(batch.view()).toMatchObject({ state: 'done', counts: { done: 130 } });
    expect([batch.isOver(), ...runs.map((run) => run.isOver())]).toEqual([true, true, true]);
    expect(scene.calls).not.toContain('watchRows');
  });

  test('has no more than a hundred wait for the provider, and begins the next as these have their answers', async () => {
    const gate = unanswered<(RowAnswer | null)[]>();
    let asked = 0;
    const { batch, begun } = await aBatch([200], {
      beginRows: ({ rows }) => Promise.resolve(rows.map(() => answerOf('begun'))),
      watchRows: ({ rows }) => {
        asked = rows.length;
        return rows.length < MOST_BEGUN ? Promise.reject(nothingNew('50h')) : gate.answer;
      },
    });
    await batch.received();
    expect(begun.flat()).toHaveLength(MOST_BEGUN);
    expect(batch.view()).toMatchObject({ awaiting: { what: 'rows' }, counts: { begun: 100, waiting: 100 } });
    gate.open(Array.from({ length: asked }, (_, place) => (place < 60 ? answerOf('failed') : null)));
    await batch.received();
    expect(begun.flat()).toHaveLength(150);
    expect(batch.view().counts).toMatchObject({ failed: 60, begun: 90, waiting: 50 });
  });

  test('that is paused begins no more, and goes on where it stopped; a repeat keeps the first reason', async () => {
    const gate = unanswered<RowAnswer[]>();
    const { batch, begun } = await aBatch([60], { beginRows: () => gate.answer });
    await batch.received();
    await batch.steer('pause');
    await batch.steer('pause');
    gate.open(named(50).map(() => answerOf('done')));
    await batch.received();
    expect(begun).toHaveLength(1);
    expect(batch.view()).toMatchObject({
      state: 'paused',
      awaiting: { what: 'operator' },
      words: [{ command: 'pause' }],
    });
    expect(batch.details()).toContain('POST /v1/batches/b/resumption');
    await batch.steer('resumption');
    expect(begun.flat()).toEqual(named(60));
  });

  test('that is abandoned lists what was not begun, in every run, and is over', async () => {
    const gate = unanswered<RowAnswer[]>();
    const { batch, runs } = await aBatch([60, 5], { beginRows: () => gate.answer });
    await batch.received();
    await batch.steer('abandonment');
    gate.open(named(50).map(() => answerOf('done')));
    await batch.received();
    expect(batch.view()).toMatchObject({ state: 'abandoned', counts: { done: 50, abandoned: 15 } });
    expect(batch.isOver()).toBe(true);
    expect(runs[0]?.view().at(-1)).toMatchObject({ index: 59, answer: { outcome: 'abandoned' } });
    expect(await batch.steer('pause').catch(refusalIn)).toBe('batch_over');
  });

  test('whose rows do not come within an hour is incomplete, and none of those that came is begun', async () => {
    const { scene, batch, runs, begun } = await aBatch([3], {});
    await scene.pass(HOUR + SECOND);
    expect(batch.view()).toMatchObject({ state: 'incomplete', counts: { abandoned: 3 } });
    expect([batch.isOver(), runs[0]?.isOver(), begun]).toEqual([true, true, []]);
  });

  test('says so where a run of its rows was ended by force', async () => {
    const scene = inVirtualTime({});
    const batch = await batchIn(scene, {
      id: 'b',
      kind: 'payments',
      sizes: [2],
      digest: 'd',
      requestedBy: 'k',
    });
    await batch.received();
    expect(batch.view()).toMatchObject({ counts: { parked: 2 }, attention: [{ code: 'unknown_outcome' }] });
  });

  test('parks rows of which nobody knows whether they were begun', async () => {
    const { batch } = await aBatch([2], { beginRows: () => Promise.reject(failure('SealError')) });
    await batch.received();
    expect(batch.view()).toMatchObject({ state: 'done', counts: { parked: 2 } });
  });

  test('is carried on by the next run of each of its workflows', async () => {
    const gate = unanswered<RowAnswer[]>();
    const { batch, runs, begun } = await aBatch([60], { beginRows: () => gate.answer });
    await batch.received();
    await batch.growLong();
    await runs[0]?.growLong();
    gate.open(named(50).map(() => answerOf('done')));
    await batch.received();
    expect(begun.flat().slice(0, 60)).toEqual(named(60));
    expect(batch.runs()).toBe(2);
  });
});
