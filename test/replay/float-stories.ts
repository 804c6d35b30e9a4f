import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import {
  FLOAT_ACCOUNT_WORKFLOW,
  acknowledgeBreak,
  floatAccountMoved,
  floatAccountWorkflowId,
  getFloatAccount,
} from '../../workflows/float-account/contract.js';
import { eventually } from '../support/temporal.js';
import { handedOver } from './lives.js';
import type { FloatReading } from '../../domain/float/account.js';
import type { Stories } from './story.js';

const AT = '2026-01-01T00:00:00.000Z';
const READING: FloatReading = {
  account: { title: 'Float', status: 'active' },
  progress: { isRead: true, newest: { id: 'entry-2', at: AT }, chain: { at: AT, ends: [] }, balance: 9 },
  ...{ stored: 2, unreadable: 0, isGap: false },
  breaks: [{ beforeId: 'entry-1', afterId: 'entry-2', expected: 5, found: 7 }],
};
const quiet = () =>
  Promise.reject(ApplicationFailure.create({ type: 'nothing_new', nextRetryDelay: '1h', message: 'quiet' }));

export const FLOAT_STORIES: Stories = {
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
};
