// What an agreement's state asks for, lane by lane. The loop makes it so; nothing else decides. Pure.
import { AGREEMENT_EVENTS, agreementEvent } from '../../domain/agreement/events.js';
import { AGREEMENT_LIFECYCLE, isAnswered, isFinal } from '../../domain/agreement/lifecycle.js';
import { inOrder, isBeforeSecond, latest } from '../../domain/facts/fact.js';
import { WATCHES } from '../../domain/agreement/watches.js';
import { dueLookUp, nextResourceStep, isOver as isOverOf } from '../entity/resource/definition.js';
import { stayOpenSteps } from '../entity/resource/reopened.js';
import { nextCreationStep } from './creation.js';
import { nextDeadlineIn, nextReminderIn } from './deadlines.js';
import { readAgreement } from '../../domain/onboarding/reading.js';
import { reportSteps } from '../entity/engine/reports.js';
import { foldedOf } from '../entity/resource/state.js';
import { planSteps } from './plan.js';
import { stateOf } from './state.js';
import type { Action } from '../../domain/agreement/action.js';
import type { Deadline } from '../../domain/agreement/deadline.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PollIntervalsName } from '../../domain/time/poll-intervals.js';
import type { ResourceStep, WatchedChange } from '../entity/resource/definition.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { ReportStep } from '../entity/engine/reports.js';
import type { CreationStep } from './creation.js';
import type { PlanStep } from './plan.js';
import type { AgreementState } from './state.js';

export type AgreementStep =
  | ResourceStep
  | CreationStep
  | { do: 'send_command'; key: string }
  | ({ do: 'await_outcome' | 'await_amendment' | 'await_payer' } & WatchedChange)
  | { do: 'await_deadline'; until: Deadline }
  | { do: 'await_reminder'; at: Instant }
  | PlanStep
  | ReportStep
  | { do: 'rest' };

const AGREEMENT_ENDS = { lifecycle: AGREEMENT_LIFECYCLE, isFinal };
/** Whether the run may end: the state is final, nothing is open, and everyone has the report. */
export const isOver = (state: AgreementState): boolean =>
  hasEnded(state) && stepsOnceEnded(state).length === 0;
const hasEnded = (state: AgreementState): boolean => isOverOf(AGREEMENT_ENDS, state);

function stepsOnceEnded(state: AgreementState): AgreementStep[] {
  const reports = reportsDue(state);
  return reports.length > 0 ? reports : stayOpenSteps(state);
}

/** What an onboarding that waits for it reads. */
export function readingOf(state: AgreementState): Reading {
  const { state: lifecycleState, reason } = foldedOf(AGREEMENT_LIFECYCLE, state);
  return readAgreement({ state: lifecycleState, awaiting: state.awaiting, stateReason: reason });
}

const reportsDue = (state: AgreementState): ReportStep[] => reportSteps(state, 'agreement', readingOf);

/** What should be going on now: what is awaited first, then what the clock will bring. */
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

/** What the clock brings first. */
function clockSteps(state: AgreementState): AgreementStep[] {
  const until = nextDeadline(state);
  const at = isAnswered(stateOf(state)) ? undefined : nextReminderIn(state);
  if (at !== undefined && (until === undefined || at < until.at)) return [{ do: 'await_reminder', at }];
  return until === undefined ? [] : [{ do: 'await_deadline', until }];
}

/**
 * A look-up and a command do not go side by side, though their lanes would let them: what is shown while a command is on its way is no
 * measure of whether that one may be sent again.
 */
function nextStep(state: AgreementState): AgreementStep {
  const lookUp = dueLookUp(AGREEMENT_LIFECYCLE, state);
  const requested = state.actions.filter(({ stage }) => stage === 'asked');
  const toSend = requested.find(({ isSending }) => isSending) ?? requested[0];
  // Look-ups may be asked for without end. Only a call without an answer is not made again before one; and what is over, as far
  // as is known, is asked for nothing more. What is on its way is not sent again because of one.
  const isFirst = toSend?.isSending === true || (toSend?.isReady === true && !isFinal(stateOf(state)));
  if (lookUp !== undefined && !isFirst) return lookUp;
  return toSend === undefined ? waitStep(state) : { do: 'send_command', key: toSend.key };
}

/** What there is to wait for, when nothing is left to do. */
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

/** What is answered soonest sets the pace. */
function pollIntervalsOf({ overdue }: AgreementState, awaited: readonly Action[]): PollIntervalsName {
  const paced = awaited.find((action) => !isForThePayer(action)) ?? awaited[0];
  const { pollIntervals, late = pollIntervals } = WATCHES[paced?.command.kind ?? 'creation'];
  return overdue ? late : pollIntervals;
}

/** Whether it waits for a person, who may be late. */
const isForThePayer = ({ command }: Action): boolean => WATCHES[command.kind].late !== undefined;

/** The events that would answer these actions, and all that is known already: what is not named is news to the watch. */
function answersTo(state: AgreementState, actions: readonly Action[]): WatchedChange['answers'] {
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

/** A history may show what was dropped to the second. */
const secondAfter = (at: Instant | undefined): Instant | undefined =>
  at === undefined ? undefined : new Date(Math.floor(Date.parse(at) / 1000 + 1) * 1000).toISOString();

/** What is before all of them; nothing where one is not known. */
const earliest = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants.reduce((a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b));
