// A notification that belongs to no agreement or payment. It stays open until an operator has read it.
import { condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { lower } from '../../domain/attention/flags.js';
import { withoutPersonalData } from '../../domain/records/erasure.js';
import { truncateHuge } from '../../domain/facts/retention.js';
import { remember, runNow, runProtected, runSoon, type Soon } from '../on-temporal/ordinary.js';
import { runOrdinary, type OrdinaryRun } from '../on-temporal/run-ordinary.js';
import { now } from '../on-temporal/run.js';
import { CallFailed, type Calls } from '../engine/runtime.js';
import { upgrade } from '../contracts/upgrade.js';
import {
  acknowledge,
  getNotification,
  notificationIdOf,
  type Acknowledgement,
  type NotificationInput,
  type NotificationState,
  type NotificationView,
} from './contract.js';
import { NOTIFICATION_RECORD } from './records.js';
import { lostState, orphanFlag, published, viewOf } from './view.js';
import type { Fact } from '../../domain/facts/fact.js';

interface Run extends OrdinaryRun<NotificationState> {
  asking?: Promise<void> | undefined;
}

export async function notification({ carried, ...input }: NotificationInput): Promise<NotificationView> {
  const id = notificationIdOf(workflowInfo().workflowId);
  const begin = (): NotificationState => ({
    ...input,
    fact: truncateHuge(input.fact),
    id,
    attention: [orphanFlag(input, id)],
  });
  const soon: Soon<Run> = {};
  setHandler(getNotification, () => viewOf(runNow(soon).state));
  setHandler(acknowledge, async (given) => {
    const run = await runSoon(soon);
    run.state = acknowledged(run.state, given);
    return viewOf(run.state);
  });
  const state =
    carried === undefined
      ? await remember({ resource: 'notification', uid: id, begin, lost: lostState, soon })
      : upgrade<NotificationState>(carried);
  const run: Run = { state: carried === undefined ? await withoutGone(state, id) : state };
  return runOrdinary({
    setHandlers: () => void (soon.run = run),
    ...{ run, record: NOTIFICATION_RECORD, published },
    nextInput: ({ fact }, next): NotificationInput => ({ ...input, fact, carried: next }),
    ending: { isOver, mayRestart: true, result: viewOf },
    proceed: ({ calls, isChanged }) => {
      if (mustAsk(run.state)) run.asking ??= ask(run, calls);
      return condition(isChanged);
    },
  });
}

const isOver = ({ acknowledgement }: NotificationState): boolean => acknowledgement !== undefined;

/** An event about a thing whose record has expired or was erased is stored without personal data. Nothing is looked up. */
async function withoutGone(state: NotificationState, id: string): Promise<NotificationState> {
  const { about } = state;
  if (about === undefined || state.acknowledgement !== undefined) return state;
  const found = await runProtected(({ readRecord }) => readRecord(about));
  if (found?.is !== 'gone') return state;
  const fact = withoutPersonalData(state.fact) as Fact;
  const next = { ...state, fact, about: undefined, gone: { ...about, why: found.why, since: found.since } };
  return { ...next, attention: [orphanFlag(next, id)] };
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
