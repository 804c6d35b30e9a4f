import { Client, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { refusalOfUpdate } from '../../activities/batch/runs.js';
import { createRecorded } from '../../api/gateway/records.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { createCalls } from '../../api/gateway/temporal/calls.js';
import { isUnanswered } from '../../delivery/unanswered.js';

const failed = (type: string) =>
  new WorkflowUpdateFailedError('failed', ApplicationFailure.nonRetryable('Because', type));

test.each(['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate', 'uid_unclear'])(
  'the failure %s is not a refusal, so that callers and batches can retry',
  async (type) => {
    const error = failed(type);
    const { long } = createCalls({
      client: new Client(),
      taskQueue: 'payto',
      recorded: createRecorded(RECORDS_AWAY),
    });
    await expect(long(1000, () => Promise.reject(error))).rejects.toMatchObject({
      code: 'worker_unavailable',
    });
    expect(() => refusalOfUpdate(error)).toThrow(error);
  },
);

test('a refusal by the workflow is an answer', () => {
  expect(isUnanswered(failed('agreement_final').cause)).toBe(false);
});
