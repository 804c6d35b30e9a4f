// A notification that belongs to no agreement or payment. It stays open until an operator has read it.
import { condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { lower } from '../../domain/attention/flags.js';
import {
  createPublisher,
  createOrdinaryRecorder,
  onHandOver,
  runProtected,
} from '../entity/engine/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../entity/engine/temporal.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { acknowledge, getNotification, notificationIdOf } from './contract.js';
import { NOTIFICATION_RECORD } from './records.js';
import { orphanFlag, published } from './view.js';
import type { NotificationInput, NotificationState } from './contract.js';

export async function notification({ carried, ...input }: NotificationInput): Promise<NotificationInput> {
  const { fact } = input;
  const id = notificationIdOf(workflowInfo().workflowId);
  const run = {
    state: restoreState<NotificationState>(carried, () => ({ ...input, id, attention: [orphanFlag(fact)] })),
  };
  setHandler(getNotification, () => input);
  setHandler(acknowledge, () => void (run.state = acknowledged(run.state)));
  onHandOver(() => void (run.state = { ...run.state }));
  const recorder = createOrdinaryRecorder(NOTIFICATION_RECORD, run);
  const isFinished = (): boolean => run.state.acknowledgedAt !== undefined && recorder.isRecorded();

  return runProtected(async () => {
    const publish = createPublisher();
    for (;;) {
      publish(published(run.state));
      recorder.note();
      if (isFinished() || isLong()) break;
      const before = run.state;
      recorder.store();
      await condition(() => run.state !== before || isFinished());
    }
    if (isFinished()) return input;
    return continueOnCurrentRelease<typeof notification>({ ...input, carried: carry(recorder.carried()) });
  });
}

/** A repeat changes nothing. */
const acknowledged = (state: NotificationState): NotificationState =>
  state.acknowledgedAt === undefined
    ? { ...state, acknowledgedAt: now(), attention: lower(state.attention, 'orphan') }
    : state;
