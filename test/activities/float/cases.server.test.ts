import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { confirmCreditActivity } from '../../../activities/float/cases.js';
import { creditIn, type Confirmation } from '../../../domain/float/credit.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { createCreditEntries } from '../../../records/credit-entries.js';
import { createFloatEntries } from '../../../records/float-entries.js';
import { createRecords } from '../../../records/write.js';
import { newCase, applyResolution } from '../../../workflows/unmatched-credit/state.js';
import { viewOf } from '../../../workflows/unmatched-credit/view.js';
import { aPaymentBatch } from '../../support/a-batch.js';
import { aDatabase } from '../../support/database.js';
import { aSweepDependencies } from '../../support/a-sweep.js';
import { A_CREDIT } from '../../support/api/builders.js';
import { KEYRING } from '../../support/temporal.js';

const ACCOUNT = { uid: 'float-1', connectionId: 'acme', isNew: true };
const REPORT = creditIn(A_CREDIT);
if (REPORT === undefined) throw new Error('expected a credit');
const AT = REPORT.receivedAt;

/** An account with one entry, `e-1`, which its case and that of a notification with another id seek. */
async function anEntry() {
  const { application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const entries = createFloatEntries(opened);
  const notFound = () => Promise.reject(new PaymentsApiError('not_found', 'no such entry', { status: 404 }));
  const deps = aSweepDependencies({ getFloatAccountEntry: notFound });
  Object.assign(deps.records, entries, createCreditEntries(opened));
  vi.spyOn(deps.temporal.workflow, 'getHandle').mockImplementation(() => {
    throw new Error('expected no call of a workflow');
  });
  const entry = { id: 'e-1', at: AT, amount: 700, balanceAfter: 700, description: REPORT?.reference };
  await entries.storeEntries(ACCOUNT, [entry]);
  const confirm = (uid: string, isReported: boolean): Promise<Confirmation | ApplicationFailure> => {
    const environment = new MockActivityEnvironment({ attempt: 2 }, { logger: new DefaultLogger('ERROR') });
    const run = (): Promise<Confirmation> =>
      environment.run(confirmCreditActivity(deps), {
        ...{ uid, accountUid: 'float-1', since: new Date(deps.now()).toISOString(), isOverdue: false },
        ...(isReported ? { report: REPORT, fact: A_CREDIT } : {}),
      });
    return run().catch((error: unknown) => {
      if (error instanceof ApplicationFailure) return error;
      throw error;
    });
  };
  const decide = () =>
    createRecords(opened).write({
      ...aPaymentBatch({
        resource: 'unmatched-credit',
        uid: 'e-1',
        workflowId: 'unmatched-credit/e-1',
        entries: [],
      }),
      row: {
        version: 1,
        at: AT,
        view: viewOf(
          applyResolution(
            newCase({ uid: 'e-1', accountUid: 'float-1' }, AT),
            { decision: 'kept', reason: 'ours', by: 'ops' },
            AT,
          ),
        ),
      },
    });
  return { confirm, decide };
}

test('the case of an entry and that of its notification seek it at the same time, and exactly one gets the entry', async () => {
  const { confirm } = await anEntry();
  const found = await Promise.all([confirm('e-1', false), confirm('n-1', true)]);
  const outcomes = found.map((one) =>
    one instanceof ApplicationFailure ? one.type : (one.found?.entry.id ?? `joined to ${one.joined}`),
  );
  expect([
    ['e-1', 'nothing_new'],
    ['joined to n-1', 'e-1'],
  ]).toContainEqual(outcomes);
});

test('a notification after the decision is joined to the decided case of its entry', async () => {
  const { confirm, decide } = await anEntry();
  await confirm('e-1', false);
  await decide();
  expect(await confirm('n-1', true)).toMatchObject({ joined: 'e-1' });
});
