// A notification that belongs to no agreement or payment. It stays open until an operator has read it.
import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { lower } from '../../domain/attention/flags.js';
import { truncateHuge } from '../../domain/facts/retention.js';
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
import { orphanFlag, published, viewOf } from './view.js';
import type { Acknowledgement, NotificationInput, NotificationState, NotificationView } from './contract.js';

export async function notification({ carried, ...input }: NotificationInput): Promise<NotificationView> {
  const { fact } = input;
  const id = notificationIdOf(workflowInfo().workflowId);
  const run = {
    state: restoreState<NotificationState>(carried, () => ({
      ...input,
      fact: truncateHuge(fact),
      id,
      attention: [orphanFlag(fact, id)],
    })),
  };
  setHandler(getNotification, () => viewOf(run.state));
  setHandler(acknowledge, (given) => {
    run.state = acknowledged(run.state, given);
    return viewOf(run.state);
  });
  onHandOver(() => void (run.state = { ...run.state }));
  const recorder = createOrdinaryRecorder(NOTIFICATION_RECORD, run);
  const isFinished = (): boolean => run.state.acknowledgement !== undefined && recorder.isRecorded();

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
    await condition(allHandlersFinished);
    if (isFinished()) return viewOf(run.state);
    const next = { ...input, fact: run.state.fact, carried: carry(recorder.carried()) };
    return continueOnCurrentRelease<typeof notification>(next);
  });
}

/** A repeat changes nothing. */
const acknowledged = (state: NotificationState, given: Omit<Acknowledgement, 'at'>): NotificationState =>
  state.acknowledgement === undefined
    ? { ...state, acknowledgement: { ...given, at: now() }, attention: lower(state.attention, 'orphan') }
    : state;
