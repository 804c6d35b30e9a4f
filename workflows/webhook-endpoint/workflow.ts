// One workflow per endpoint for webhooks, until the endpoint is deleted. Its activity delivers; settings, progress and attempts are rows in the records.
import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import { createPublisher, onHandOver, runProtected } from '../on-temporal/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../on-temporal/run.js';
import { CallFailed } from '../engine/runtime.js';
import { refused } from '../engine/refusal.js';
import {
  sendWebhookNow,
  webhookEndpointChanged,
  type SentNow,
  type WebhookEndpointInput,
} from './contract.js';
import { published } from './view.js';
import type { DeliveryReport } from '../../activities/webhook/deliver.js';
import type { SendOnceArgs, SendRefusal } from '../../activities/webhook/send-once.js';

/** A lost signal delays a disabled endpoint no longer than that. An unconfirmed one gets none. */
const CHECKED_AGAIN_AFTER = '10 minutes';

export async function webhookEndpoint({ endpointId }: WebhookEndpointInput): Promise<void> {
  const run = { changes: 0 };
  const noteChange = (): void => void (run.changes += 1);
  setHandler(webhookEndpointChanged, noteChange);
  setHandler(sendWebhookNow, (event) => sendOnce({ endpointId, event }).finally(noteChange));
  onHandOver(noteChange);
  const isGone = await runProtected(async (calls) => {
    const publish = createPublisher();
    const since = now();
    let report: DeliveryReport = { is: 'again', waiting: 0, attention: [] };
    while (report.is !== 'gone' && !isLong()) {
      publish(published(endpointId, report, since));
      const before = run.changes;
      report = await calls.deliverWebhooks({ endpointId });
      publish(published(endpointId, report, since));
      const isPaused = report.is === 'disabled' || report.is === 'unconfirmed';
      if (isPaused && !isLong()) await condition(() => run.changes !== before, CHECKED_AGAIN_AFTER);
    }
    await condition(allHandlersFinished);
    return report.is === 'gone';
  });
  if (!isGone) await continueOnCurrentRelease<typeof webhookEndpoint>({ endpointId });
}

/** @throws ApplicationFailure `endpoint_unknown`, `event_unknown`, `key_unconfirmed`, or `not_sent`, if the records did not answer. */
async function sendOnce(args: SendOnceArgs): Promise<SentNow> {
  const sent = await runProtected((calls) => calls.sendWebhookOnce(args)).catch((error: unknown) => {
    if (!(error instanceof CallFailed)) throw error;
    throw refused(
      'not_sent',
      'The event may not have been sent, because the records did not answer. Try again later.',
    );
  });
  if (!('refused' in sent)) return sent;
  throw refused(sent.refused, REFUSALS[sent.refused]);
}

const REFUSALS: Readonly<Record<SendRefusal, string>> = {
  endpoint_unknown: 'There is no such endpoint.',
  event_unknown: 'There is no such event that this endpoint may receive, or it has expired.',
  key_unconfirmed:
    'The API key that made this endpoint was removed or has expired, so nothing is sent. Create an endpoint with another key.',
};
