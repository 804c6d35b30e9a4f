// What the provider pushed that belongs to no agreement or payment: kept until an operator has seen it.
// In:  api/temporal/notifications.ts starts it.
// Out: nothing; an operator sends the signal `acknowledge`.
import { setHandler } from '@temporalio/workflow';
import { cellOf, follow } from '../entity/loop.js';
import { published } from '../entity/publish.js';
import { continueOnCurrentRelease, listenForHandOver, temporalRuntime } from '../entity/temporal.js';
import { acknowledge, getNotification } from './contract.js';
import type { Instant } from '../../domain/fact.js';
import type { Attention, Awaiting } from '../../domain/legible.js';
import type { Story } from '../entity/loop.js';
import type { NotificationInput } from './contract.js';

interface State {
  input: NotificationInput;
  isSeen: boolean;
  awaiting: Awaiting;
}
type Step = { do: 'await_operator' };

export async function notification(input: NotificationInput): Promise<NotificationInput> {
  const runtime = temporalRuntime();
  const awaiting: Awaiting = { what: 'operator', since: input.fact.receivedAt };
  const cell = cellOf<State>({ input, isSeen: false, awaiting });
  listenForHandOver(cell);
  setHandler(acknowledge, () => {
    cell.change((state) => ({ ...state, isSeen: true }));
  });
  setHandler(getNotification, () => input);
  if ((await follow(NOTIFICATION, cell, runtime)) === 'continue')
    return continueOnCurrentRelease<typeof notification>(input);
  return input;
}

const NOTIFICATION: Story<State, Step> = {
  rules: { await_operator: { lane: 'learn', awaiting: 'operator' } },
  wants: ({ isSeen }) => (isSeen ? [] : [{ do: 'await_operator' }]),
  isOver: ({ isSeen }) => isSeen,
  publish: ({ input: { fact, resourceType }, isSeen, awaiting }) =>
    published({
      title: `Notification ${fact.type} of a ${resourceType}`,
      awaiting,
      attention: isSeen ? [] : [orphanSince(fact.receivedAt)],
      known: ['its content is the input of this workflow'],
      own: [],
    }),
};

const orphanSince = (since: Instant): Attention => ({
  code: 'orphan',
  since,
  detail: 'It belongs to no agreement or payment.',
  next: 'Read it, then send the signal `acknowledge`.',
});
