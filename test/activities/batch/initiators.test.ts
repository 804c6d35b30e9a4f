import { Client, Connection } from '@temporalio/client';
import { NO_RECORDS } from '../../support/no-records.js';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { describe, expect, test, vi } from 'vitest';
import { createAccountReader } from '../../../activities/batch/accounts.js';
import { AGREEMENT_ROWS } from '../../../activities/batch/agreements.js';
import { IDENTIFICATION_ROWS } from '../../../activities/batch/identifications.js';
import { createClientReader } from '../../../activities/batch/runs.js';
import { aClientView, aCounterpartyView, aMandate, anAgreementView } from '../../support/api/builders.js';
import { aClientOrder } from '../../support/workflows/provider.js';
import type { Scene } from '../../../activities/batch/rows.js';
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

test('the current account of the agreement is read even if no row contains it', async () => {
  const read = createAccountReader(
    temporalWith(() => aCounterpartyView()),
    visibilityOf('counterparty/cp-1'),
    [],
  );
  expect(await read('acc-1')).toMatchObject({ isRegistered: true, isVerified: false });
});

test('a client suspended during a batch is seen by rows that start six seconds later', async () => {
  const query = vi.fn(() => aClientView());
  let now = 0;
  const read = createClientReader(temporalWith(query), visibilityOf('client/cli-1'), () => now);
  await read('cl-1');
  query.mockReturnValue(aClientView({ state: 'suspended' }));
  expect(await read('cl-1')).toMatchObject({ state: 'active' });
  now = 6000;
  expect(await read('cl-1')).toMatchObject({ state: 'suspended' });
});
