// A notification that belongs to no agreement or payment. It stays open until an operator has read it.
import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { lower } from '../../domain/attention/flags.js';
import { truncateHuge } from '../../domain/facts/retention.js';
import {
  createPublisher,
  createOrdinaryRecorder,
  onHandOver,
  runProtected,
} from '../on-temporal/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../on-temporal/run.js';
import { CallFailed } from '../engine/runtime.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { acknowledge, getNotification, notificationIdOf } from './contract.js';
import { NOTIFICATION_RECORD } from './records.js';
import { orphanFlag, published, viewOf } from './view.js';
import type { Calls } from '../engine/runtime.js';
import type { Acknowledgement, NotificationInput, NotificationState, NotificationView } from './contract.js';

interface Run {
  state: NotificationState;
  asking?: Promise<void> | undefined;
}

export async function notification({ carried, ...input }: NotificationInput): Promise<NotificationView> {
  const id = notificationIdOf(workflowInfo().workflowId);
  const run: Run = {
    state: restoreState<NotificationState>(carried, () => ({
      ...input,
      fact: truncateHuge(input.fact),
      id,
      attention: [orphanFlag(input, id)],
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

  return runProtected(async (calls) => {
    const publish = createPublisher();
    for (;;) {
      publish(published(run.state));
      recorder.note();
      if (isFinished() || isLong()) break;
      if (mustAsk(run.state)) run.asking ??= ask(run, calls);
      const before = run.state;
      recorder.store();
      await condition(() => run.state !== before || isFinished());
    }
    await condition(allHandlersFinished);
    recorder.note();
    if (isFinished()) return viewOf(run.state);
    const next = { ...input, fact: run.state.fact, carried: carry(recorder.carried()) };
    return continueOnCurrentRelease<typeof notification>(next);
  });
}

/** A connection without a consent cannot answer. */
const mustAsk = ({ about, fact, isAnswered, acknowledgement }: NotificationState): boolean =>
  about !== undefined && fact.causesNoLookUp !== true && isAnswered !== true && acknowledgement === undefined;

/** Asks the connection once whether it has the resource. If so, the resource's workflow follows it from this event on. */
async function ask(run: Run, calls: Calls): Promise<void> {
  const { about, fact } = run.state;
  if (about === undefined) return;
  const isFollowed = await calls.followIfThere({ ...about, fact }).catch((error: unknown) => {
    if (error instanceof CallFailed) return false;
    throw error;
  });
  const answered = { ...run.state, isAnswered: true as const };
  run.state = isFollowed ? acknowledged(answered, FOLLOWED) : answered;
}

const FOLLOWED = {
  by: 'payto-agreements',
  reason: 'The connection has this resource, so its workflow has received the notification.',
};

/** A repeat changes nothing. */
const acknowledged = (state: NotificationState, given: Omit<Acknowledgement, 'at'>): NotificationState =>
  state.acknowledgement === undefined
    ? { ...state, acknowledgement: { ...given, at: now() }, attention: lower(state.attention, 'orphan') }
    : state;
