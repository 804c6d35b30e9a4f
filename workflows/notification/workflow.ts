// What the provider pushed that belongs to no agreement or payment: kept until an operator has seen it.
// In:  api/temporal/door.ts starts it.
// Out: nothing; an operator sends the signal `acknowledge`.
import { setHandler } from '@temporalio/workflow';
import { cellOf, follow } from '../entity/loop.js';
import { published } from '../entity/publish.js';
import { continueOnCurrentRelease, listenForHandOver, temporalRuntime } from '../entity/temporal.js';
import { acknowledge, getNotification } from './contract.js';
import type { Instant } from '../../domain/fact.js';
import type { Attention, Awaiting } from '../../domain/legible.js';
import type { Story } from '../entity/loop.js';
import type { Published } from '../entity/publish.js';
import type { NotificationInput } from './contract.js';

interface State {
  input: NotificationInput;
  /** Since when an operator has seen it. */
  seenAt?: Instant | undefined;
}

export async function notification(input: NotificationInput): Promise<NotificationInput> {
  const runtime = temporalRuntime();
  const cell = cellOf<State>({ input });
  listenForHandOver(cell);
  setHandler(acknowledge, () => {
    cell.change((state) => ({ ...state, seenAt: runtime.now() }));
  });
  setHandler(getNotification, () => input);
  if ((await follow(NOTIFICATION, cell, runtime)) === 'continue')
    return continueOnCurrentRelease<typeof notification>(input);
  return input;
}

/** There is nothing to do but to wait. */
const NOTIFICATION: Story<State, never> = {
  rules: {},
  wants: () => [],
  isOver: ({ seenAt }) => seenAt !== undefined,
  awaiting: (state) => state,
  publish: publishedOf,
};

function publishedOf({ input: { fact, resourceType }, seenAt }: State): Published {
  const since = fact.receivedAt;
  const awaiting: Awaiting =
    seenAt === undefined ? { what: 'operator', since } : { what: 'nothing', since: seenAt };
  const orphan: Attention = {
    code: 'orphan',
    since,
    detail: 'It belongs to no agreement or payment.',
    next: 'Read it, then send the signal `acknowledge`.',
  };
  return published({
    title: `Notification ${fact.type} of a ${resourceType}`,
    awaiting,
    attention: seenAt === undefined ? [orphan] : [],
    known: ['its content is the input of this workflow'],
    own: [],
  });
}
