import { randomUUID } from 'node:crypto';
import { HISTORY_WORKFLOW, historyWorkflowId } from '../../workflows/history/contract.js';
import { aFact } from '../support/facts.js';
import type { HistoryQuestion } from '../../workflows/history/contract.js';
import type { Activities } from '../../activities/index.js';
import type { Stories, Story } from './story.js';

const reading = (readAgreementHistory: Activities['readAgreementHistory']): Story => ({
  activities: { readAgreementHistory },
  live: async ({ client, taskQueue }) => {
    const uid = `agr-${randomUUID()}`;
    const question: HistoryQuestion = {
      uid,
      connectionId: 'acme',
      since: ['2026-01-01T00:00:00.000Z', 'event-0'],
      before: ['2027-01-01T00:00:00.000Z', 'event-9'],
      stored: ['event-9'],
    };
    const workflowId = historyWorkflowId(uid, 'digest');
    const handle = await client.workflow.start(HISTORY_WORKFLOW, { taskQueue, workflowId, args: [question] });
    await handle.result().catch(() => undefined);
    return [handle];
  },
});

export const HISTORY_STORIES: Stories = {
  'history-read': reading(() => Promise.resolve({ facts: [aFact('suspended')], isLast: false })),
};
