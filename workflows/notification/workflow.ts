// What the provider pushed that belongs to no agreement or payment: kept until an operator has seen it.
// In:  api/temporal/door.ts starts it.
// Out: nothing; an operator sends the signal `acknowledge`.
import { setHandler } from '@temporalio/workflow';
import { published } from '../entity/publish.js';
import {
  continueOnCurrentRelease,
  listenForHandOver,
  temporalRuntime as runtime,
} from '../entity/temporal.js';
import { acknowledge, getNotification } from './contract.js';
import type { Attention, Awaiting } from '../../domain/legible.js';
import type { NotificationInput } from './contract.js';

export async function notification(input: NotificationInput): Promise<NotificationInput> {
  let isSeen = false;
  setHandler(acknowledge, () => void (isSeen = true));
  setHandler(getNotification, () => input);
  listenForHandOver();

  const since = input.fact.receivedAt;
  const awaiting: Awaiting = { what: 'operator', since };
  const attention: Attention[] = [
    {
      code: 'orphan',
      since,
      detail: 'It belongs to no agreement or payment.',
      next: 'Read it, then send the signal `acknowledge`.',
    },
  ];
  const title = `Notification ${input.fact.type} of a ${input.resourceType}`;
  const known = ['its content is the input of this workflow'];
  runtime.publish(published({ title, awaiting, attention, known, own: [] }));
  await runtime.until(() => isSeen || runtime.isLong());
  if (!isSeen) return continueOnCurrentRelease<typeof notification>(input);
  const over: Awaiting = { what: 'nothing', since: runtime.now() };
  runtime.publish(published({ title, awaiting: over, attention: [], known, own: [] }));
  return input;
}
