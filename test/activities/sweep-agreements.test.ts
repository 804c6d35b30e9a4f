// A sweep that is broken off, refused or lied to, against lists of the test's making; test/road/sweep.test.ts has the real ones.
import { Client, Connection } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sweepAgreementsActivity } from '../../activities/sweep-agreements.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { createPaymentsApi } from '../../payments-api/client.js';
import { createOAuth } from '../../payments-api/oauth.js';
import { AGREEMENT_STATE, AGREEMENT_UID } from '../../workflows/entity/search-attributes.js';
import { A_MANDATE, failure } from '../support/workflows/provider.js';
import { KEYRING } from '../support/temporal.js';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { Dependencies } from '../../activities/dependencies.js';
import type { Difference, SweepReport } from '../../domain/sweep.js';
import type { PaymentsApi } from '../../payments-api/client.js';

type Page = Awaited<ReturnType<PaymentsApi['listAgreementPage']>>;
/** What is answered where the list begins, and behind each cursor. */
type Pages = Readonly<Record<string, () => Promise<Page>>>;

const BEGINNING = 'the beginning';
const nowhere = 'http://127.0.0.1:1';
const PROVIDER = createPaymentsApi({ baseUrl: nowhere, version: '20260901', versionHeader: 'V' });
const OAUTH = createOAuth({ clientId: 'c', clientSecret: 's', authUrl: nowhere, redirectUri: nowhere });

const aPage =
  (states: Readonly<Record<string, string>>, next?: string, unreadable = 0) =>
  () =>
    Promise.resolve({
      items: Object.entries(states).map(([uid, state]) => ({ uid, state, mandate: A_MANDATE })),
      unreadable,
      next,
    });
const refused = (code: ConstructorParameters<typeof PaymentsApiError>[0]) => () =>
  Promise.reject(new PaymentsApiError(code, 'not given'));

const runOf = (uid: string, state: string): WorkflowExecutionInfo => ({
  type: 'agreement',
  workflowId: `agreement/${uid}`,
  runId: `run of ${uid}`,
  taskQueue: 'tests',
  status: { code: 1, name: 'RUNNING' },
  historyLength: 1,
  startTime: new Date(),
  searchAttributes: {},
  typedSearchAttributes: new TypedSearchAttributes([
    { key: AGREEMENT_UID, value: uid },
    { key: AGREEMENT_STATE, value: state },
  ]),
  raw: {},
});

/** A sweep over these pages, where our own lists show these agreements as open. */
function aSweep(
  pages: Pages,
  tracked: Readonly<Record<string, string>> = {},
  over: Partial<Dependencies> = {},
) {
  const queries: string[] = [];
  const signalled: string[] = [];
  const read: string[] = [];
  const temporal = new Client({ connection: Connection.lazy() });
  vi.spyOn(temporal.workflow, 'list').mockImplementation(({ query = '' } = {}) => {
    queries.push(query);
    const named = Object.entries(tracked).filter(
      ([uid]) => !query.includes('AgreementUid IN') || query.includes(`'${uid}'`),
    );
    const runs = named.map(([uid, state]) => runOf(uid, state));
    return Object.assign(ReadableStream.from(runs), { intoHistories: () => ReadableStream.from([]) });
  });
  vi.spyOn(temporal.workflow, 'signalWithStart').mockImplementation((_workflow, { workflowId }) => {
    signalled.push(workflowId);
    return Promise.resolve(
      Object.assign(temporal.workflow.getHandle(workflowId), { signaledRunId: 'a run' }),
    );
  });
  const listAgreementPage: PaymentsApi['listAgreementPage'] = (from) => {
    const cursor = typeof from === 'string' ? from : BEGINNING;
    read.push(cursor);
    return pages[cursor]?.() ?? aPage({})();
  };
  const activity = sweepAgreementsActivity({
    payments: { ...PROVIDER, listAgreementPage },
    oauth: OAUTH,
    withAccess: (_connection, work) => work({ accessToken: 'a' }),
    temporal,
    keyring: KEYRING,
    sweep: { everyMs: 0, adopts: false, paceMs: 0 },
    audit: { everyMs: 0, webhookUrl: undefined },
    now: Date.now,
    ...over,
  });
  /** One attempt, which goes on from what the one before it left. */
  let left: unknown;
  const attempt = (before: readonly Difference[] = []): Promise<SweepReport> => {
    const environment = new MockActivityEnvironment(
      { heartbeatDetails: left },
      { logger: new DefaultLogger('ERROR') },
    );
    environment.on('heartbeat', (details: unknown) => void (left = details));
    return environment.run(activity, { connectionId: 'acme', before });
  };
  return { attempt, queries, signalled, read };
}

describe('a sweep that is broken off', () => {
  test('goes on behind the last page that was read, and knows what no page has shown', async () => {
    let fails = 1;
    const second = aPage({ 'agr-3': 'active' });
    const { attempt, read } = aSweep(
      {
        [BEGINNING]: aPage({ 'agr-1': 'active', 'agr-2': 'active' }, 'second'),
        second: () => (fails-- > 0 ? refused('unavailable')() : second()),
      },
      { 'agr-1': 'active', 'agr-3': 'active', 'agr-lost': 'active' },
    );
    await expect(attempt()).rejects.toMatchObject({ type: 'unavailable', nonRetryable: false });
    expect(await attempt()).toMatchObject({
      ...{ seen: 3, equal: 2, unknownHere: 1, pages: 2, missingThere: 1 },
      named: { unknownHere: ['agr-2'], missingThere: ['agr-lost'] },
    });
    expect(read).toEqual([BEGINNING, 'second', 'second']);
  });

  test('begins anew where the provider does not take its cursor any more', async () => {
    let refuses = 1;
    const second = aPage({ 'agr-2': 'active' });
    const { attempt, read } = aSweep({
      [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'),
      second: () => (refuses-- > 0 ? refused('rejected')() : second()),
    });
    await expect(attempt()).rejects.toMatchObject({ type: 'rejected' });
    expect(await attempt()).toMatchObject({ seen: 2, pages: 2, missingThere: 0 });
    expect(read).toEqual([BEGINNING, 'second', BEGINNING, 'second']);
  });

  test.each([
    ['its list', { [BEGINNING]: refused('rejected') }, { seen: 0, pages: 0 }],
    [
      'a page of it',
      { [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'), second: refused('rejected') },
      { seen: 1, unknownHere: 1, pages: 1 },
    ],
  ])('ends where the provider refuses %s for the third time, and says so', async (_what, pages, known) => {
    const { attempt } = aSweep(pages);
    await expect(attempt()).rejects.toMatchObject({ type: 'rejected' });
    await expect(attempt()).rejects.toMatchObject({ type: 'rejected' });
    const report = await attempt();
    expect(report).toMatchObject({ stopped: 'rejected', ...known });
    expect(report.missingThere).toBeUndefined();
  });

  test('waits before each page for as long as a request of it takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pages = {
      [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'),
      second: aPage({ 'agr-2': 'suspended' }, 'third'),
    };
    const sweep = { everyMs: 0, adopts: false, paceMs: 4000 };
    const { attempt, read, signalled } = aSweep(pages, { 'agr-2': 'active' }, { sweep });
    const report = attempt();
    await vi.advanceTimersByTimeAsync(3999);
    expect(read).toEqual([BEGINNING]);
    await vi.advanceTimersByTimeAsync(1);
    expect(read).toEqual([BEGINNING, 'second']);
    expect(signalled).toEqual(['agreement/agr-2']);
    // Two for the look-up that was asked for, and one for the page.
    await vi.advanceTimersByTimeAsync(11_999);
    expect(read).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await report).toMatchObject({ pages: 3 });
  });
});

describe('a sweep that may not ask', () => {
  test('for want of consent says so, and asks the provider for nothing', async () => {
    const withAccess = () => Promise.reject(failure('needs_reauthorisation'));
    const { attempt, read } = aSweep({}, {}, { withAccess });
    expect(await attempt()).toMatchObject({ stopped: 'needs_reauthorisation', seen: 0, pages: 0 });
    expect(read).toEqual([]);
  });

  test('for want of a scope keeps what it had read, and says which code stood in its way', async () => {
    const { attempt } = aSweep({
      [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'),
      second: refused('forbidden'),
    });
    const report = await attempt();
    expect(report).toMatchObject({ stopped: 'forbidden', seen: 1, unknownHere: 1, pages: 1 });
    expect(report.missingThere).toBeUndefined();
  });
});

describe('a sweep that is lied to', () => {
  const HOSTILE = {
    "x') OR WorkflowType = 'connection' OR AgreementUid IN ('y": 'active',
    '..': 'active',
    ['a'.repeat(65)]: 'active',
    '': 'active',
    'agr-none': 'unknown',
    'agr-long': 'a'.repeat(100_000),
    'agr-words': 'Active, they say',
  };

  test('counts what it cannot read, signals none of it, and puts none of it into a query', async () => {
    const pages = {
      [BEGINNING]: aPage(HOSTILE, 'second', 2),
      second: aPage(Object.fromEntries([['__proto__', 'frozen']])),
    };
    const sweep = { everyMs: 0, adopts: true, paceMs: 0 };
    const { attempt, queries, signalled } = aSweep(pages, {}, { sweep });
    const report = await attempt();
    expect(report).toMatchObject({ seen: 10, unreadable: 9, adopted: 1, differences: [] });
    expect(report.named).toEqual({ adopted: ['__proto__'], missingThere: [] });
    expect(signalled).toEqual(['agreement/__proto__']);
    expect([...queries, JSON.stringify(report)].join()).not.toContain('OR WorkflowType');
    expect(queries.filter((query) => query.includes('AgreementUid IN'))).toHaveLength(1);
  });

  test('by a list in a circle ends, and says that it has no end', async () => {
    const second = aPage({ 'agr-1': 'active', 'agr-2': 'active' }, 'second');
    const { attempt } = aSweep({ [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'), second });
    const report = await attempt();
    expect(report).toMatchObject({ stopped: 'endless_list', seen: 2, unknownHere: 2 });
    expect(report.missingThere).toBeUndefined();
  });
});

test('a difference is signalled, also by a word that we do not know, and after three sweeps only named', async () => {
  const pages = { [BEGINNING]: aPage({ 'agr-1': 'frozen' }) };
  const { attempt, signalled } = aSweep(pages, { 'agr-1': 'active' });
  let differences: readonly Difference[] = [];
  for (const times of [1, 2, 3]) {
    const report = await attempt(differences);
    expect(report).toMatchObject({ differing: 1, differences: [{ here: 'active', there: 'frozen', times }] });
    ({ differences } = report);
  }
  expect(await attempt(differences)).toMatchObject({ differing: 0, named: { unsettled: ['agr-1'] } });
  expect(signalled).toHaveLength(3);
});
