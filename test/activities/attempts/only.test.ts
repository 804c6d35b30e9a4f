import { Context } from '@temporalio/activity';
import { ActivityCancellationDetails } from '@temporalio/common/lib/activity-cancellation-details.js';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { requireOnlyAttempt, withdrawalSignal } from '../../../activities/attempts/only.js';

type Info = NonNullable<ConstructorParameters<typeof MockActivityEnvironment>[0]>;
const attempt = (info: Info) =>
  new MockActivityEnvironment(info).run(() => Promise.resolve(requireOnlyAttempt()));

test('the first attempt makes the call', async () => {
  await expect(attempt({ attempt: 1 })).resolves.toBeUndefined();
});

test.each([
  ['a second attempt after a marked call', { attempt: 2, heartbeatDetails: 'called' }, 'unanswered'],
  ['a second attempt without a marked call', { attempt: 2 }, 'not_marked'],
  [
    'a first attempt that was reset, whose heartbeats may be deleted',
    { attempt: 1, scheduledTimestampMs: 1000, currentAttemptScheduledTimestampMs: 3000 },
    'unanswered',
  ],
])('%s makes no call', async (_what, info, type) => {
  await expect(attempt(info)).rejects.toMatchObject({ type, nonRetryable: true });
});

test.each([
  ['a cancellation by the workflow', { cancelRequested: true }, true],
  ['a pause', { paused: true }, false],
  ['a reset', { reset: true }, false],
  ['new options that time it out', { timedOut: true }, false],
  ['a shutdown of the worker', { workerShutdown: true }, false],
])('%s aborts the call: %j, %s', async (_what, details, isAborted) => {
  const environment = new MockActivityEnvironment();
  const signal = await environment.run(async () => {
    const followed = withdrawalSignal();
    environment.cancel('CANCELLED', new ActivityCancellationDetails(details));
    await Context.current().cancelled.catch(() => undefined);
    return followed;
  });
  expect((signal as AbortSignal).aborted).toBe(isAborted);
});
