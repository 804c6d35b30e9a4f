// A sweep that is broken off, refused, or lied to.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { CONNECTION_WORKFLOW } from '../../workflows/connection/contract.js';
import { openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { A_MANDATE } from '../support/workflows/provider.js';
import {
  asked,
  atTheProvider,
  beginSweep,
  here,
  listed,
  onASweptRoad,
  stateShowing,
  sweepOnce,
} from '../support/sweeping.js';
import type { SweepReport } from '../../domain/sweep.js';
import type { PaymentsApi } from '../../payments-api/client.js';

const temporal = useTemporal();
const PACE_MS = 4000;

type ListPage = PaymentsApi['listAgreementPage'];
type Page = Awaited<ReturnType<ListPage>>;

/** Stands in the way of the list alone. */
const inTheWay =
  (way: (real: ListPage) => ListPage) =>
  (api: PaymentsApi): PaymentsApi => ({
    ...api,
    listAgreementPage: way((from, call) => api.listAgreementPage(from, call)),
  });

/** Serves these pages, whatever is asked for: `next` is the number of the page after. */
const serving = (pages: Page[]) =>
  inTheWay(() => (from) => Promise.resolve(pages[typeof from === 'string' ? Number(from) : 0] ?? aPage([])));

const aPage = (items: { uid: string; state: string }[], over: Partial<Page> = {}): Page => ({
  items: items.map((item) => ({ ...item, mandate: A_MANDATE })),
  unreadable: 0,
  next: undefined,
  ...over,
});

describe('a sweep that is broken off', () => {
  test('by a call that fails goes on behind the last page that was read', async () => {
    let fails = 1;
    const between = inTheWay((real) => async (from, call) => {
      const page = await real(from, call);
      if (typeof from === 'string' && page.next === undefined && fails-- > 0)
        throw new PaymentsApiError('unavailable', 'lost on its way');
      return page;
    });
    await onASweptRoad(
      temporal,
      async (swept) => {
        const [known = ''] = await atTheProvider(swept, 210);
        const missing = `agr-${randomUUID()}`;
        await here(
          swept,
          [known, missing].map((uid) => stateShowing(swept.connection, uid, 'active')),
        );
        const report = await sweepOnce(swept);
        expect(report).toMatchObject({ seen: 210, equal: 1, unknownHere: 209, pages: 3 });
        expect(report).toMatchObject({ missingThere: 1, named: { missingThere: [missing] } });
        expect(new Set(report.named.unknownHere).size).toBe(100);
        expect(asked(swept, 'list_agreements')).toBe(4); // the third page twice, the first and second once
      },
      { between },
    );
  });

  test('by the end of its worker goes on where the next worker is', async () => {
    const taskQueue = `sweep-${randomUUID()}`;
    const connection = `con-${randomUUID()}`;
    const road = await openRoad(temporal, taskQueue, Date.now, { sweep: { paceMs: PACE_MS } });
    const swept = { road, temporal, taskQueue, connection };
    try {
      const first = async () => {
        road.sandbox.control.addFault({ on: 'webhook', do: 'lose' });
        await road.consent(connection);
        await atTheProvider(swept, 210);
        const sweep = await beginSweep(swept);
        await eventually(
          () => Promise.resolve(asked(swept, 'list_agreements')),
          (count) => count === 1,
        );
        // Into the pause before the second page: whatever ends before the first one is compared reads that again, and rightly so.
        await pause(PACE_MS / 2);
        return sweep;
      };
      const sweep = await temporal.run(road.activities, first, taskQueue);
      const report: unknown = await temporal.run(road.activities, () => sweep.result(), taskQueue);
      expect(report).toMatchObject({ seen: 210, unknownHere: 210, pages: 3 });
      const times = road.sandbox.control
        .ledger(0, { kind: 'call', operation: 'list_agreements' })
        .map(({ at }) => Date.parse(at));
      expect(times).toHaveLength(3);
      for (const [index, at] of times.slice(1).entries())
        expect(at - (times[index] ?? 0)).toBeGreaterThan(PACE_MS - 100);
    } finally {
      await road.close();
    }
  });

  test('begins anew where the provider does not take its cursor any more', async () => {
    let spoils = 1;
    const between = inTheWay(
      (real) => (from, call) =>
        real(typeof from === 'string' && spoils-- > 0 ? 'per_page=100&starting_after=gone' : from, call),
    );
    await onASweptRoad(
      temporal,
      async (swept) => {
        await atTheProvider(swept, 101);
        expect(await sweepOnce(swept)).toMatchObject({ seen: 101, pages: 2, missingThere: 0 });
      },
      { between },
    );
  });

  test.each([
    ['its list', 0, { seen: 0, pages: 0 }],
    ['a page of it', 1, { seen: 1, unknownHere: 1, pages: 1 }],
  ])('ends where the provider refuses %s each time, and says so', async (_what, pages, read) => {
    let asks = 0;
    const between = inTheWay(() => (from) => {
      asks += 1;
      return (typeof from === 'string' ? 1 : 0) < pages
        ? Promise.resolve(aPage([{ uid: 'agr-1', state: 'active' }], { next: '1' }))
        : Promise.reject(aRefusal());
    });
    await onASweptRoad(
      temporal,
      async (swept) => {
        const report = await sweepOnce(swept);
        expect(report).toMatchObject({ stopped: 'rejected', ...read });
        expect(report.missingThere).toBeUndefined();
        expect(asks).toBe(3 * (pages + 1));
      },
      { between },
    );
  });
});

const aRefusal = () =>
  new PaymentsApiError('rejected', 'refused', {
    status: 422,
    problems: [{ code: 'ZPPGN00', title: 'Paging', detail: 'bad value' }],
  });

describe('a sweep that may not ask', () => {
  test('for want of consent says so, and asks the provider for nothing', async () => {
    await onASweptRoad(
      temporal,
      async (swept) => {
        expect(await sweepOnce(swept)).toMatchObject({ stopped: 'needs_reauthorisation', seen: 0, pages: 0 });
        expect(asked(swept, 'list_agreements')).toBe(0);
      },
      { isConsented: false },
    );
  });

  test('for want of a scope keeps what it had read, and says which code stood in its way', async () => {
    const between = inTheWay(
      () => (from) =>
        typeof from === 'string'
          ? Promise.reject(new PaymentsApiError('forbidden', 'a scope is missing'))
          : Promise.resolve(aPage([{ uid: 'agr-1', state: 'active' }], { next: '1' })),
    );
    await onASweptRoad(
      temporal,
      async (swept) => {
        const report = await sweepOnce(swept);
        expect(report).toMatchObject({ stopped: 'forbidden', seen: 1, unknownHere: 1, pages: 1 });
        expect(report.missingThere).toBeUndefined();
      },
      { between },
    );
  });
});

describe('a sweep that is lied to', () => {
  const HOSTILE = [
    { uid: `x') OR WorkflowType = '${CONNECTION_WORKFLOW}' OR AgreementUid IN ('y`, state: 'active' },
    { uid: '..', state: 'active' },
    { uid: 'a'.repeat(65), state: 'active' },
    { uid: '', state: 'active' },
    { uid: 'agr-none', state: 'unknown' },
    { uid: 'agr-long', state: 'a'.repeat(100_000) },
    { uid: 'agr-words', state: 'Active, they say' },
  ];

  test('counts what it cannot read, tells nobody, and puts none of it into a query', async () => {
    const between = serving([
      aPage(HOSTILE, { unreadable: 2, next: '1' }),
      aPage([{ uid: '__proto__', state: 'frozen' }]),
    ]);
    await onASweptRoad(
      temporal,
      async (swept) => {
        const report = await sweepOnce(swept);
        expect(report).toMatchObject({
          seen: 10,
          unreadable: 9,
          adopted: 1,
          named: { adopted: ['__proto__'] },
          differences: [],
        });
        expect(JSON.stringify(report)).not.toContain('OR WorkflowType');
        await temporal.client.workflow.getHandle('agreement/__proto__').terminate();
      },
      { between, sweep: { adopts: true } },
    );
  });

  test('by a list in a circle ends, and says that it has no end', async () => {
    const between = serving([
      aPage([{ uid: 'agr-1', state: 'active' }], { next: '1' }),
      aPage(
        [
          { uid: 'agr-1', state: 'active' },
          { uid: 'agr-2', state: 'active' },
        ],
        { next: '1' },
      ),
    ]);
    await onASweptRoad(
      temporal,
      async (swept) => {
        const report: SweepReport = await sweepOnce(swept);
        expect(report).toMatchObject({ stopped: 'endless_list', seen: 2, unknownHere: 2 });
        expect(report.missingThere).toBeUndefined();
      },
      { between },
    );
  });

  test('by a word for a state that we do not know tells the agreement, which asks a person', async () => {
    const uid = `agr-${randomUUID()}`;
    const between = serving([aPage([{ uid, state: 'frozen' }])]);
    await onASweptRoad(
      temporal,
      async (swept) => {
        await here(swept, [stateShowing(swept.connection, uid, 'active')]);
        expect(await listed(swept)).toBe(1);
        expect(await sweepOnce(swept)).toMatchObject({
          differing: 1,
          differences: [{ here: 'active', there: 'frozen' }],
        });
      },
      { between },
    );
  });
});
