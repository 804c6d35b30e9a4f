// A notification that belongs to no agreement or payment. It stays open until an operator has read it.
import { condition, setHandler } from '@temporalio/workflow';
import { published } from '../entity/engine/publish.js';
import { createPublisher, onHandOver, runProtected } from '../entity/engine/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../entity/engine/temporal.js';
import { acknowledge, getNotification } from './contract.js';
import type { Published } from '../entity/engine/publish.js';
import type { NotificationInput } from './contract.js';

export async function notification(input: NotificationInput): Promise<NotificationInput> {
  let isAcknowledged = false;
  let isHandOver = false;
  setHandler(getNotification, () => input);
  setHandler(acknowledge, () => void (isAcknowledged = true));
  onHandOver(() => void (isHandOver = true));

  return runProtected(async () => {
    const publish = createPublisher();
    publish(pageOf(input, false));
    while (!isAcknowledged && !isLong()) {
      isHandOver = false;
      await condition(() => isAcknowledged || isHandOver);
    }
    if (!isAcknowledged) return continueOnCurrentRelease<typeof notification>(input);
    publish(pageOf(input, true));
    return input;
  });
}

const pageOf = ({ fact, resourceType }: NotificationInput, isAcknowledged: boolean): Published => {
  const since = fact.receivedAt;
  const detail = 'The notification belongs to no agreement or payment.';
  const next = 'Read it, then send the signal `acknowledge`.';
  return published({
    title: `Notification ${fact.type} of a ${resourceType}`,
    awaiting: isAcknowledged ? { what: 'nothing', since: now() } : { what: 'operator', since },
    attention: isAcknowledged ? [] : [{ code: 'orphan', since, detail, next }],
    own: [],
    notes: ['its content is the input of this workflow'],
  });
};
