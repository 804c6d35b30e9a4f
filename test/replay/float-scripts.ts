import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import {
  FLOAT_ACCOUNT_WORKFLOW,
  acknowledgeBreak,
  floatAccountMoved,
  floatAccountWorkflowId,
  getFloatAccount,
} from '../../workflows/float-account/contract.js';
import { SETTLEMENT_WORKFLOW, settlementId } from '../../workflows/settlement/contract.js';
import {
  UNMATCHED_CREDIT_WORKFLOW,
  creditReported,
  getUnmatchedCredit,
  joinReport,
  resolveCredit,
  unmatchedCreditWorkflowId,
} from '../../workflows/unmatched-credit/contract.js';
import { A_CREDIT } from '../support/api/builders.js';
import { eventually, queried } from '../support/temporal.js';
import { handedOver } from './lives.js';
import type { FloatReading } from '../../domain/float/account.js';
import type { Scripts } from './script.js';

const AT = '2026-01-01T00:00:00.000Z';
const READING: FloatReading = {
  account: { title: 'Float', status: 'active' },
  progress: { isRead: true, newest: { id: 'entry-2', at: AT }, chain: { at: AT, ends: [] }, balance: 9 },
  ...{ entryCount: 2, unreadable: 0, isGap: false },
  breaks: [{ at: AT, beforeId: 'entry-1', afterId: 'entry-2', expected: 5, found: 7 }],
};
const ENTRY = { id: 'entry-1', amount: 700, at: AT, balanceAfter: 700 };
const quiet = () =>
  Promise.reject(ApplicationFailure.create({ type: 'nothing_new', nextRetryDelay: '1h', message: 'quiet' }));

export const FLOAT_SCRIPTS: Scripts = {
  'float-account-with-a-broken-chain': {
    activities: {
      followFloatAccount: ({ progress }) => (progress.isRead === true ? quiet() : Promise.resolve(READING)),
    },
    live: async (temporal) => {
      const { client, taskQueue } = temporal;
      const uid = randomUUID();
      const handle = await client.workflow.start(FLOAT_ACCOUNT_WORKFLOW, {
        taskQueue,
        workflowId: floatAccountWorkflowId(uid),
        args: [{ uid, connectionId: `con-${uid}` }],
      });
      await eventually(
        () => handle.query(getFloatAccount),
        ({ state }) => state === 'followed',
      );
      await handle.signal(floatAccountMoved);
      await handle.executeUpdate(acknowledgeBreak, { args: [{ by: 'ops', reason: 'compared' }] });
      const [before, newest] = await handedOver(temporal, handle);
      await newest.executeUpdate(acknowledgeBreak, { args: [{ by: 'ops', reason: 'again' }] });
      return [before, newest];
    },
  },
  'unmatched-credit-flagged-then-matched': {
    activities: {
      confirmCredit: ({ isOverdue }) =>
        Promise.resolve({
          decideWithinMs: 1,
          ...(isOverdue && { found: { entry: ENTRY, connectionId: 'acme' } }),
        }),
    },
    live: async (temporal) => {
      const { client, taskQueue } = temporal;
      const uid = randomUUID();
      const handle = await client.workflow.start(UNMATCHED_CREDIT_WORKFLOW, {
        ...{ taskQueue, workflowId: unmatchedCreditWorkflowId(uid), args: [{ uid, accountUid: 'float-1' }] },
      });
      await handle.signal(creditReported, { ...A_CREDIT, id: uid });
      await eventually(
        () => queried(handle, getUnmatchedCredit),
        ({ attention }) => attention.some(({ code }) => code === 'credit_undecided'),
      );
      const [before, newest] = await handedOver(temporal, handle);
      const resolution = { decision: 'matched', paymentUid: 'pay-1', reason: 'named', by: 'ops' } as const;
      await newest.executeUpdate(joinReport, { args: [{ ...A_CREDIT, id: uid }] });
      await newest.executeUpdate(resolveCredit, { args: [resolution] });
      await newest.result();
      return [before, newest];
    },
  },
  'unmatched-credit-joined-with-another-case': {
    activities: { confirmCredit: () => Promise.resolve({ joined: 'entry-1', decideWithinMs: 1 }) },
    live: async ({ client, taskQueue }) => {
      const fact = { ...A_CREDIT, id: randomUUID() };
      const handle = await client.workflow.start(UNMATCHED_CREDIT_WORKFLOW, {
        ...{ taskQueue, workflowId: unmatchedCreditWorkflowId(fact.id) },
        args: [{ uid: fact.id, accountUid: 'float-1', fact }],
      });
      await handle.result();
      return [handle];
    },
  },
  'settlement-with-a-late-report': {
    activities: {
      fetchSettlement: () =>
        Promise.resolve({
          days: [
            { day: '2026-01-01', found: 'stored' as const, stored: 'changed' as const },
            { day: '2026-01-02', found: 'late' as const },
          ],
        }),
    },
    live: async ({ client, taskQueue }) => {
      const connectionId = `con-${randomUUID()}`;
      const handle = await client.workflow.start(SETTLEMENT_WORKFLOW, {
        ...{ taskQueue, workflowId: settlementId(connectionId), args: [{ connectionId }] },
      });
      await handle.result();
      return [handle];
    },
  },
};
