// A batch refuses each row whose initiator the provider would refuse.
import { Client, Connection, WorkflowNotFoundError, type WorkflowExecutionInfo } from '@temporalio/client';
import { NO_RECORDS } from '../../support/no-records.js';
import { describe, expect, test, vi } from 'vitest';
import { createAccountReader } from '../../../activities/batch/accounts.js';
import { AGREEMENT_ROWS } from '../../../activities/batch/agreements.js';
import { IDENTIFICATION_ROWS } from '../../../activities/batch/identifications.js';
import { createClientReader } from '../../../activities/batch/runs.js';
import { aClientView, aCounterpartyView, aMandate, anAgreementView } from '../../support/api/builders.js';
import { aClientOrder } from '../../support/workflows/provider.js';
import { ofConnection, type Scene } from '../../../activities/batch/rows.js';
import type { Visibility } from '../../../activities/temporal/visibility.js';
import type { AgreementView } from '../../../workflows/agreement/contract.js';
import type { ClientView } from '../../../workflows/client/contract.js';

const HIGH_RISK = { codes: ['7995'], primary: undefined };

function temporalWith(query: () => unknown) {
  const temporal = new Client({ connection: Connection.lazy() });
  const handle = temporal.workflow.getHandle('any');
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue(
    Object.assign(handle, { query: () => Promise.resolve(query()) }),
  );
  return temporal;
}

const visibilityOf = (workflowId = ''): Visibility => ({
  async *list() {
    await Promise.resolve();
    yield { workflowId } as WorkflowExecutionInfo;
  },
  acquire: () => Promise.resolve(),
});

const sceneOf = (client: Partial<ClientView>, agreement?: AgreementView): Scene => {
  const temporal = temporalWith(() => agreement);
  return {
    deps: {
      ...{ temporal, taskQueue: 'payto', now: () => 0, highRisk: HIGH_RISK },
      sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 },
      records: NO_RECORDS,
    },
    visibility: visibilityOf(),
    clients: (id) => Promise.resolve(id === 'cl-1' ? aClientView(client) : undefined),
    accounts: () => Promise.resolve(undefined),
    task: { batch: 'b', connectionId: 'acme', isDryRun: true, by: 'key', rows: [], blocked: [] },
  };
};
const initiator = { client_id: 'cl-1' };

const CASES: [string, Partial<ClientView>, string][] = [
  ['a suspended client', { state: 'suspended' }, 'client_not_active /initiator/client_id'],
  [
    'a client without the PayTo service',
    { state: 'not_configured' },
    'client_not_active /initiator/client_id',
  ],
  ['a client of another connection', { connectionId: 'other' }, 'provider_would_refuse /initiator/client_id'],
  [
    'a high-risk client without a payment account',
    { order: aClientOrder({ merchant_category_code: '7995' }) },
    'provider_would_refuse /debtor/payment_account_uid',
  ],
];

test('a batch learns nothing of clients on another connection', async () => {
  const reading = ofConnection(
    (id) => Promise.resolve(aClientView({ uid: id, connectionId: 'other' })),
    'acme',
  );
  expect(await reading('cl-1')).toBeUndefined();
  const own = ofConnection((id) => Promise.resolve(aClientView({ uid: id, connectionId: 'acme' })), 'acme');
  expect(await own('cl-1')).toBeDefined();
});

describe.each(CASES)('dry run with %s', (_, client, expected) => {
  test('refuses the row in a batch of agreements or identifications', async () => {
    const agreement = anAgreementView({ state: 'active', mandate: {} });
    const rows = [
      await AGREEMENT_ROWS.judge(sceneOf(client), {
        ...{ kind: 'agreements', uid: 'agr-1', mandate: { ...aMandate(), initiator } },
      }),
      await IDENTIFICATION_ROWS.judge(sceneOf(client, agreement), {
        ...{ kind: 'identifications', uid: 'agr-1', ask: { initiator } },
      }),
    ];
    for (const row of rows)
      expect(row?.refusals?.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([expected]);
  });
});

test('a row about an agreement of another connection is refused as if there were none', async () => {
  const ask = { kind: 'identifications', uid: 'agr-1', ask: { initiator } } as const;
  const there = sceneOf({}, anAgreementView({ state: 'active', connectionId: 'other-merchant' }));
  const nowhere = sceneOf({});
  const none = () => Promise.reject(new WorkflowNotFoundError('none', 'agreement/agr-1', undefined));
  Object.assign(nowhere.deps.temporal.workflow.getHandle('any'), { query: none });
  const answer = await IDENTIFICATION_ROWS.judge(there, ask);
  expect(answer).toEqual(await IDENTIFICATION_ROWS.judge(nowhere, ask));
  expect(answer).toMatchObject({ refusals: [{ code: 'not_found' }] });
});

test('the current account of the agreement is read even if no row contains it', async () => {
  const temporal = temporalWith(() => aCounterpartyView());
  const read = createAccountReader({ temporal, records: NO_RECORDS }, visibilityOf('counterparty/cp-1'), []);
  expect(await read('acc-1')).toMatchObject({ isRegistered: true, isVerified: false });
});

test('a client suspended during a batch is seen by rows that start six seconds later', async () => {
  const query = vi.fn(() => aClientView());
  let now = 0;
  const deps = { temporal: temporalWith(query), records: NO_RECORDS };
  const read = createClientReader(deps, visibilityOf('client/cli-1'), () => now);
  await read('cl-1');
  query.mockReturnValue(aClientView({ state: 'suspended' }));
  expect(await read('cl-1')).toMatchObject({ state: 'active' });
  now = 6000;
  expect(await read('cl-1')).toMatchObject({ state: 'suspended' });
});

test('a client and an account that Temporal has forgotten are found in the records, and not while those are away', async () => {
  const temporal = temporalWith(() => Promise.reject(new WorkflowNotFoundError('none', 'any', undefined)));
  const visibility: Visibility = { ...visibilityOf(), async *list() {} };
  const client = aClientView({ state: 'off_boarded' });
  const row = { is: 'row', version: 1, state: client.state, view: client } as const;
  const records = {
    ...NO_RECORDS,
    clientUid: () => Promise.resolve('cli-1'),
    counterpartiesWith: () => Promise.resolve([aCounterpartyView()]),
    remembered: () => Promise.resolve(row),
  };
  expect(await createClientReader({ temporal, records }, visibility)('cl-1')).toEqual(client);
  expect(await createAccountReader({ temporal, records }, visibility, ['acc-1'])('acc-1')).toMatchObject({
    isRegistered: true,
  });
  const away = () => Promise.reject(new Error('away'));
  const none = { ...records, clientUid: away, counterpartiesWith: away };
  expect(await createClientReader({ temporal, records: none }, visibility)('cl-1')).toBeUndefined();
  expect(await createAccountReader({ temporal, records: none }, visibility, [])('acc-1')).toBeUndefined();
});

test('an identification of a forgotten agreement is answered from its record: done, refused, or not while that is away', async () => {
  const row = { kind: 'identifications', uid: 'agr-1', ask: { initiator } } as const;
  const judged = (view: AgreementView, batch = 'b') => {
    const scene = sceneOf({});
    const none = () => Promise.reject(new WorkflowNotFoundError('none', 'agreement/agr-1', undefined));
    Object.assign(scene.deps.temporal.workflow.getHandle('any'), { query: none });
    const remembered = () => Promise.resolve({ is: 'row', version: 1, state: view.state, view } as const);
    const task = { ...scene.task, batch, isDryRun: false };
    return { ...scene, task, deps: { ...scene.deps, records: { ...NO_RECORDS, remembered } } };
  };
  const action = { kind: 'identification', key: 'batch/b', stage: 'done' } as const;
  const view = anAgreementView({ state: 'cancelled', mandate: {}, actions: [action as never] });
  expect(await IDENTIFICATION_ROWS.judge(judged(view), row)).toMatchObject({ outcome: 'done' });
  expect(await IDENTIFICATION_ROWS.judge(judged(view, 'c'), row)).toMatchObject({
    refusals: [{ code: 'not_final' }],
  });
  const scene = judged(view);
  scene.deps.records.remembered = () => Promise.reject(new Error('away'));
  await expect(IDENTIFICATION_ROWS.judge(scene, row)).rejects.toThrow('away');
});
