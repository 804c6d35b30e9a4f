import { Client, Connection, type WorkflowExecutionInfo } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { vi } from 'vitest';
import { sweepListActivity } from '../../activities/sweep/lists.js';
import { createVisibility } from '../../activities/temporal/visibility.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { createPaymentsApi, type PaymentsApi } from '../../payments-api/client.js';
import { createOAuth } from '../../payments-api/oauth.js';
import { A_MANDATE } from './workflows/provider.js';
import { onSignal } from './fake-temporal.js';
import { KEYRING } from './temporal.js';
import { RESOURCES, type EventResource } from '../../domain/resources.js';
import { NO_RECORDS, NO_WEBHOOKS } from './no-records.js';
import type { Dependencies, Records } from '../../activities/dependencies.js';
import type { Difference, SweepReport } from '../../domain/sweep/comparison.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { PaymentSnapshot } from '../../domain/payment/lifecycle.js';
import type { ListPage } from '../../payments-api/http/paging.js';

export type Page = ListPage<AgreementSnapshot & PaymentSnapshot>;
export type Pages = Readonly<Record<string, () => Promise<Page>>>;

export const BEGINNING = 'the beginning';
const nowhere = 'http://127.0.0.1:1';
const PROVIDER = createPaymentsApi({ baseUrl: nowhere, version: '20260901', versionHeader: 'V' });
const OAUTH = createOAuth({ clientId: 'c', clientSecret: 's', authUrl: nowhere, redirectUri: nowhere });
export const SETTINGS = { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 };

const shown = (uid: string, state: string) => ({ uid, state, mandate: A_MANDATE, order: {} });
export const aPage =
  (states: Readonly<Record<string, string>>, next?: string, unreadable = 0) =>
  () =>
    Promise.resolve({
      items: Object.entries(states).map(([uid, state]) => shown(uid, state)),
      unreadable,
      next,
    });
export const refused = (code: ConstructorParameters<typeof PaymentsApiError>[0]) => () =>
  Promise.reject(new PaymentsApiError(code, 'not given'));

const runOf = (type: string, uid: string): WorkflowExecutionInfo => ({
  type,
  workflowId: `${type}/${uid}`,
  runId: `run of ${uid}`,
  taskQueue: 'tests',
  status: { code: 1, name: 'RUNNING' },
  historyLength: 1,
  startTime: new Date(),
  searchAttributes: {},
  typedSearchAttributes: new TypedSearchAttributes([]),
  raw: {},
});

export interface Over extends Partial<Dependencies> {
  there?: Readonly<Record<string, string>>;
  type?: EventResource;
  onRow?: () => void;
}

const recordsOf = (tracked: Readonly<Record<string, string>>, existing: readonly string[]): Records => ({
  ...NO_RECORDS,
  rowsOf: (_resource, uids) =>
    Promise.resolve(
      uids.flatMap((uid) => {
        const state = Object.hasOwn(tracked, uid) ? tracked[uid] : undefined;
        return state === undefined ? [] : [{ uid, state, connectionId: 'acme' }];
      }),
    ),
  uidsIn: (_resource, _range, { after, limit }) =>
    Promise.resolve(
      Object.keys(tracked)
        .filter((uid) => uid > after && existing.includes(tracked[uid] ?? ''))
        .toSorted()
        .slice(0, limit),
    ),
});

export const aSweepDependencies = (payments: Partial<PaymentsApi>): Dependencies => ({
  payments: { ...PROVIDER, ...payments },
  oauth: OAUTH,
  withAccess: (_connection, work) => work({ accessToken: 'a' }),
  readStop: () => Promise.resolve('free'),
  records: { ...NO_RECORDS },
  temporal: new Client({ connection: Connection.lazy() }),
  taskQueue: 'payto',
  tokenKeys: KEYRING,
  sweep: SETTINGS,
  audit: { everyMs: 0, webhookUrl: undefined },
  settlement: { everyMs: 0 },
  webhooks: NO_WEBHOOKS,
  credits: { caseAfterMs: 0, decideWithinMs: 3_600_000 },
  highRisk: { codes: [], primary: undefined },
  now: Date.now,
});

export function aSweep(
  pages: Pages,
  tracked: Readonly<Record<string, string>> = {},
  { there = {}, type = 'agreement', onRow, ...over }: Over = {},
) {
  const { compared } = RESOURCES[type].provider;
  const queries: string[] = [];
  const signalled: string[] = [];
  const read: string[] = [];
  const asked: string[] = [];
  const temporal = new Client({ connection: Connection.lazy() });
  vi.spyOn(temporal.workflow, 'list').mockImplementation(({ query = '' } = {}) => {
    queries.push(query);
    const named = /WorkflowId IN \((.*)\)/.exec(query)?.[1]?.matchAll(/'\w+\/([^']*)'/g) ?? [];
    const runs = [...named].map(([, uid = '']) => runOf(type, uid));
    const rows = (function* () {
      for (const run of runs) {
        onRow?.();
        yield run;
      }
    })();
    return Object.assign(ReadableStream.from(rows), { intoHistories: () => ReadableStream.from([]) });
  });
  onSignal(temporal, (workflowId) => void signalled.push(workflowId));
  const listPage = async (from: Parameters<PaymentsApi['listPaymentPage']>[0]): Promise<Page> => {
    const cursor = typeof from === 'string' ? from : BEGINNING;
    const [first = 'whole'] = typeof from === 'string' ? [from] : (from.state ?? []);
    read.push(cursor);
    const page = await ((Object.hasOwn(pages, first) ? pages[first] : pages[cursor]) ?? aPage({}))();
    page.items.forEach(() => onRow?.());
    return page;
  };
  const readOne = (uid: string) => {
    asked.push(uid);
    const state = there[uid];
    return state === undefined ? refused('not_found')() : Promise.resolve(shown(uid, state));
  };
  const sweepList = sweepListActivity(
    {
      ...aSweepDependencies({
        listAgreementPage: listPage,
        listPaymentPage: listPage,
        listRefundPage: async (from) => {
          const page = await listPage(from);
          return { ...page, items: page.items.map(({ uid, state }) => ({ uid, state, order: {} })) };
        },
        getAgreement: readOne,
        getPayment: readOne,
        getRefund: readOne,
      }),
      records: recordsOf(tracked, compared.existing),
      temporal,
      ...over,
    },
    createVisibility(temporal, { intervalMs: 0, burst: 1 }),
  );
  let left: unknown;
  const attempt = async (before: readonly Difference[] = []): Promise<SweepReport> => {
    const environment = new MockActivityEnvironment(
      { heartbeatDetails: left, taskQueue: 'payto-sweeps' },
      { logger: new DefaultLogger('ERROR') },
    );
    environment.on('heartbeat', (details: unknown) => void (left = details));
    const run = (): Promise<SweepReport> =>
      environment.run(sweepList, { resource: type, connectionId: 'acme', before });
    const report = await run();
    left = undefined;
    return report;
  };
  return { attempt, queries, signalled, read, asked };
}
