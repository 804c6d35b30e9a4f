// What the provider pushed that belongs to no agreement or payment: kept until an operator has seen it.
// In:  api/temporal.ts starts it.
// Out: nothing; an operator sends the signal `acknowledge`.
import { condition, setHandler } from '@temporalio/workflow';
import { acknowledge, getNotification } from './notification.contract.js';
import { publishAttributes, publishWords } from './publish.js';
import { ATTENTION, AWAITING, AWAITING_SINCE } from './search-attributes.contract.js';
import type { NotificationInput } from './notification.contract.js';

export async function notification(input: NotificationInput): Promise<NotificationInput> {
  let isSeen = false;
  setHandler(acknowledge, () => void (isSeen = true));
  setHandler(getNotification, () => input);

  const since = input.fact.receivedAt;
  publishAttributes([
    { key: AWAITING, value: 'operator' },
    { key: AWAITING_SINCE, value: new Date(since) },
    { key: ATTENTION, value: ['orphan'] },
  ]);
  publishWords({
    title: `Notification ${input.fact.type} of a ${input.resourceType}`,
    awaiting: { what: 'operator', since },
    attention: [
      {
        code: 'orphan',
        since,
        detail: 'It belongs to no agreement or payment.',
        next: 'Read it, then send the signal `acknowledge`.',
      },
    ],
    known: [`its content is the input of this workflow`],
  });
  await condition(() => isSeen);
  publishAttributes([
    { key: AWAITING, value: 'nothing' },
    { key: ATTENTION, value: null },
  ]);
  return input;
}
