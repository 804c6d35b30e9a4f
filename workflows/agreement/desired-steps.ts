// The steps that an agreement's state requires, at most one per lane. The loop starts and cancels them accordingly. Pure.
import { AGREEMENT_EVENTS, agreementEvent } from '../../domain/agreement/events.js';
import { AGREEMENT_LIFECYCLE, isAnswered, isFinal } from '../../domain/agreement/lifecycle.js';
import { inOrder, isBeforeSecond, latest, type Instant } from '../../domain/facts/fact.js';
import { WATCHES } from '../../domain/agreement/watches.js';
import { dueLookUp, isOver as isOverOf, type WatchedChange } from '../resource/definition.js';
import { nextResourceStep, type ResourceStep } from '../resource/rules.js';
import { stayOpenSteps } from '../resource/reopened.js';
import { nextCreationStep, type CreationStep } from './creation.js';
import { nextDeadlineIn, nextReminderIn } from './deadlines.js';
import { readAgreement, type Reading } from '../../domain/onboarding/reading.js';
import { reportSteps, type ReportStep } from '../resource/reports.js';
import { foldedOf } from '../resource/state.js';
import { planSteps, type PlanStep } from './plan.js';
import { stateOf, type AgreementState } from './state.js';
import type { Action } from '../../domain/agreement/action.js';
import type { Deadline } from '../../domain/agreement/deadline.js';
import type { PollIntervalsName } from '../../domain/time/poll-intervals.js';
import type { AgreementWatch } from '../../activities/agreement/poll.js';

type AwaitedAnswer = WatchedChange & Pick<AgreementWatch, 'answers'>;

export type AgreementStep =
  | ResourceStep
  | CreationStep
  | { do: 'send_command'; key: string }
  | ({ do: 'await_outcome' | 'await_amendment' | 'await_payer' } & AwaitedAnswer)
  | { do: 'await_deadline'; until: Deadline }
  | { do: 'await_reminder'; at: Instant }
  | PlanStep
  | ReportStep
  | { do: 'rest' };

const AGREEMENT_ENDS = { lifecycle: AGREEMENT_LIFECYCLE, isFinal };
/** Whether the run may end: the state is final, nothing is open, and all reports were sent. */
export const isOver = (state: AgreementState): boolean =>
  hasEnded(state) && stepsOnceEnded(state).length === 0;
const hasEnded = (state: AgreementState): boolean => isOverOf(AGREEMENT_ENDS, state);

function stepsOnceEnded(state: AgreementState): AgreementStep[] {
  const reports = reportsDue(state);
  return reports.length > 0 ? reports : stayOpenSteps(state);
}

/** The reading for onboardings that wait for this agreement. */
export function readingOf(state: AgreementState): Reading {
  const { state: lifecycleState, reason } = foldedOf(AGREEMENT_LIFECYCLE, state);
  return readAgreement({ state: lifecycleState, awaiting: state.awaiting, stateReason: reason });
}

const reportsDue = (state: AgreementState): ReportStep[] => reportSteps(state, 'agreement', readingOf);

/** The steps that should be running: first the awaited one, then timers, the plan and reports. */
export function desiredSteps(state: AgreementState): AgreementStep[] {
  if (hasEnded(state)) return stepsOnceEnded(state);
  const first = firstStep(state);
  return [
    first,
    ...(state.submission.stage === 'open' ? clockSteps(state) : []),
    ...planSteps(state),
    ...reportsDue(state),
  ];
}

function firstStep(state: AgreementState): AgreementStep {
  const step = nextResourceStep(state);
  const isToSend = step?.do === 'submit' && state.submission.stage === 'ready';
  return (isToSend ? nextCreationStep(state) : undefined) ?? step ?? nextStep(state);
}

export const nextDeadline = (state: AgreementState): Deadline | undefined =>
  nextDeadlineIn(state, stateOf(state));

/** The next timer. */
function clockSteps(state: AgreementState): AgreementStep[] {
  const until = nextDeadline(state);
  const at = isAnswered(stateOf(state)) ? undefined : nextReminderIn(state);
  if (at !== undefined && (until === undefined || at < until.at)) return [{ do: 'await_reminder', at }];
  return until === undefined ? [] : [{ do: 'await_deadline', until }];
}

/** Look-ups and commands never overlap, although their lanes would allow it. A snapshot taken while a command is in flight cannot justify a retry. */
function nextStep(state: AgreementState): AgreementStep {
  const lookUp = dueLookUp(AGREEMENT_LIFECYCLE, state);
  const requested = state.actions.filter(({ stage }) => stage === 'asked');
  const toSend = requested.find(({ isSending }) => isSending) ?? requested[0];
  // Look-ups may be requested endlessly, so a command does not wait for them, with two exceptions. A command without an answer needs a look-up
  // before its retry, and a final agreement gets no new command. A command in flight continues.
  const isFirst = toSend?.isSending === true || (toSend?.isReady === true && !isFinal(stateOf(state)));
  if (lookUp !== undefined && !isFirst) return lookUp;
  return toSend === undefined ? waitStep(state) : { do: 'send_command', key: toSend.key };
}

/** The wait that remains when there is nothing to do. */
function waitStep(state: AgreementState): AgreementStep {
  const lifecycleState = stateOf(state);
  const snapshotState = state.snapshotState ?? lifecycleState;
  const awaited = state.actions.filter(({ stage }) => stage === 'accepted');
  const pollIntervals = pollIntervalsOf(state, awaited);
  if (awaited.length > 0) {
    const isForPayer = awaited.every(isForThePayer);
    return {
      do: isForPayer ? 'await_amendment' : 'await_outcome',
      pollIntervals,
      snapshotState,
      answers: answersTo(state, awaited),
    };
  }
  return isAnswered(lifecycleState) ? { do: 'rest' } : { do: 'await_payer', pollIntervals, snapshotState };
}

/** The action whose outcome we expect soonest sets the poll intervals. */
function pollIntervalsOf({ overdue }: AgreementState, awaited: readonly Action[]): PollIntervalsName {
  const paced = awaited.find((action) => !isForThePayer(action)) ?? awaited[0];
  const { pollIntervals, late = pollIntervals } = WATCHES[paced?.command.kind ?? 'creation'];
  return overdue ? late : pollIntervals;
}

/** Whether the outcome depends on the payer, who may be late. */
const isForThePayer = ({ command }: Action): boolean => WATCHES[command.kind].late !== undefined;

/** The event types that would answer these actions, and the ids already known. The watch treats any other id as new. */
function answersTo(state: AgreementState, actions: readonly Action[]): AgreementWatch['answers'] {
  const { facts, droppedUntil } = state;
  const kinds = actions.map(({ command }) => command.kind);
  const types = Object.keys(AGREEMENT_EVENTS).filter((type) =>
    agreementEvent(type)?.answers?.some(({ action }) => kinds.includes(action)),
  );
  const received = inOrder(facts).filter(({ type }) => types.includes(type));
  const after = latest([earliest(actions.map((action) => action.after)), secondAfter(droppedUntil)]);
  const since = received.filter(
    ({ publishedAt }) => after === undefined || !isBeforeSecond(publishedAt, after),
  );
  return {
    types,
    receivedIds: since.map(({ id }) => id),
    ...(after === undefined ? {} : { after }),
  };
}

/** A history may have a precision of one second, and so still list dropped events of that second. */
const secondAfter = (at: Instant | undefined): Instant | undefined =>
  at === undefined ? undefined : new Date(Math.floor(Date.parse(at) / 1000 + 1) * 1000).toISOString();

/** The earliest of these times. Undefined if one is unknown. */
const earliest = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants.reduce((a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b));
