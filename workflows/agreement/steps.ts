// The rules of the steps of an agreement: their calls, and how each outcome or failure changes the state.
import {
  AGREEMENT_LIFECYCLE,
  isAnswered,
  isFinal,
  type AgreementSnapshot,
} from '../../domain/agreement/lifecycle.js';
import { isSame } from '../../domain/commands/differences.js';
import { blockAfterFailure } from '../resource/blocked.js';
import { isNothingFound, refusalIn, type CallFailure } from '../engine/call-failure.js';
import { applyFetched, type Followed } from '../resource/definition.js';
import { refOf, openQuestions } from '../resource/state.js';
import { msUntil, rule, type StepContext, type StepRules } from '../engine/step.js';
import { resourceRules, watchRule } from '../resource/rules.js';
import {
  markNotSent,
  markOpen,
  markOutcomeUnknown,
  parkDifference,
  provesAbsence,
} from '../resource/submission/state.js';
import { reportRule } from '../resource/report-rule.js';
import * as commands from './commands.js';
import { isCancellationRequested, isDailyLimit, applyDailyLimit, applyPayIdName } from './creation.js';
import { passDeadline, applyReminder } from './deadlines.js';
import { readingOf, type AgreementStep } from './desired-steps.js';
import { openPayment, type Opened } from './opening.js';
import { flagForbiddenDates } from './plan.js';
import { applyPlannedCheck, applyStart, requestDuePayment } from './plan-dates.js';
import * as states from './state.js';
import type { SendCommandAnswer } from '../../activities/agreement/send-command.js';
import type { Deadline } from '../../domain/agreement/deadline.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { AgreementInput, RecordedAgreementView, messages } from './contract.js';
import type { Remembered } from '../../domain/records/remembered.js';
import type { AgreementState } from './state.js';

type Of<Name extends AgreementStep['do']> = Extract<AgreementStep, { do: Name }>;

export interface AgreementTypes {
  state: AgreementState;
  snapshot: AgreementSnapshot;
  step: AgreementStep;
  input: AgreementInput;
  view: RecordedAgreementView;
  messages: typeof messages;
}

const KIND: Followed<AgreementTypes> = {
  noun: 'agreement',
  lifecycle: AGREEMENT_LIFECYCLE,
  isFinal,
  hasHistory: true,
  submit: (call, state) => call.createAgreement({ ...refOf(state), mandate: state.mandate ?? {} }),
  find: (call, of) => call.findAgreement(of),
  lookUp: (call, of) => call.lookUpAgreement(of),
  watch: (call, watched) => call.watchAgreement(watched),
  differences: states.differencesIn,
  handleDifferences: (state, now, paths) =>
    isAnswered(states.stateOf(state)) || states.isOnlyClient(paths)
      ? parkDifference(state, now, 'agreement', paths)
      : states.applyUidTaken(state, now, paths),
  sending: {
    until: () => undefined,
    blockedBy: (state) => (isCancellationRequested(state) ? 'a cancellation was requested' : undefined),
    neverSent: states.applyCancelledUnsent,
    searched: () => undefined,
  },
  applyRefusal: states.applyRefusal,
  applySnapshot: applyChecked,
  apply: (state, fetched, requested) => states.judgeActions(applyFetched(KIND, state, fetched, requested)),
};
const FOLLOWED = resourceRules(KIND, (call, of) => call.adoptAgreement(of));

/** Applies a snapshot. After an amendment, checks the plan against the new terms. */
function applyChecked(before: AgreementState, fetched: Fetched<AgreementSnapshot>): AgreementState {
  const state = states.applySnapshot(before, fetched);
  const isAmended = before.plan !== undefined && !isSame(before.mandate ?? {}, state.mandate ?? {});
  return isAmended ? flagForbiddenDates(state, fetched.fetchedAt) : state;
}

export const STEPS: StepRules<AgreementState, AgreementStep> = {
  ...FOLLOWED,
  adopt: {
    ...FOLLOWED.adopt,
    failed: (state, failure, at) =>
      isNothingFound(failure)
        ? states.applyUnknownAgreement(state, at.now)
        : (FOLLOWED.adopt.failed?.(state, failure, at) ?? state),
  },
  resolve_alias: rule<AgreementState, Of<'resolve_alias'>, { name: string | null }>({
    lane: 'command',
    awaiting: 'verification',
    run: ({ party }, read, { call }) => {
      const { mandate, payer } = read();
      const account = mandate?.[party]?.account_identifier;
      if (account == null || payer === undefined)
        throw new Error(`no PayID of the ${party}; expected one to resolve`);
      return call.resolveAlias({ connectionId: refOf(read()).connectionId, account, payer });
    },
    done: (state, { name }, { step: { party } }) => applyPayIdName(state, party, name),
    failed: (state, failure, { now }) =>
      blockAfterFailure(state, failure, now) ??
      (isDailyLimit(failure)
        ? applyDailyLimit(state, failure, now)
        : markOpen(states.applyRefusal(state, now, refusalIn(failure)))),
  }),
  await_limit: {
    lane: 'command',
    awaiting: 'limit',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'Wait until the daily limit has passed'),
    done: (state) => ({ ...state, limit: undefined }),
  },
  submit: {
    ...FOLLOWED.submit,
    failed: (state, failure, at) =>
      isDailyLimit(failure)
        ? waitForDailyLimit(state, failure, at.now)
        : (FOLLOWED.submit.failed?.(state, failure, at) ?? state),
  },
  send_command: rule<AgreementState, Of<'send_command'>, { answer: SendCommandAnswer; requested: string[] }>({
    lane: 'command',
    awaiting: 'provider-acceptance',
    uninterruptible: true,
    begin: (state, { step: { key } }) => commands.markActionSending(state, key),
    run: async ({ key }, read, { call }) => {
      const action = read().actions.find((one) => one.key === key);
      if (action === undefined) throw new Error(`no command with the key ${key}; expected it in the state`);
      const requested = openQuestions(AGREEMENT_LIFECYCLE, read());
      return { answer: await call.sendCommand({ ...refOf(read()), command: action.command }), requested };
    },
    done: afterCommand,
    failed: afterFailedCommand,
  }),
  await_payer: watchRule(KIND, 'payer-decision'),
  await_outcome: watchRule(KIND, 'action-outcome'),
  await_amendment: watchRule(KIND, 'amendment-decision'),
  await_deadline: {
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) => sleep(msUntil(until.at, now()), TIMERS[until.name]),
    done: (state, _outcome, { step: { until }, now }) => passDeadline(state, until, now),
  },
  await_reminder: {
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ at }, _read, { sleep, now }) =>
      sleep(msUntil(at, now()), 'Wait for the next reminder that the payer has not answered'),
    done: (state, _outcome, { now }) => applyReminder(state, now),
  },
  await_plan: {
    lane: 'plan',
    awaiting: 'nothing',
    run: ({ at }, _read, { sleep, now }) => sleep(msUntil(at, now()), 'Wait for the next planned payment'),
    done: (state, _outcome, { now }) => requestDuePayment(state, now),
  },
  check_planned: rule<AgreementState, Of<'check_planned'>, Remembered | undefined>({
    lane: 'plan',
    awaiting: 'nothing',
    run: ({ uid }, _read, { call }) => call.readRecord({ resource: 'payment', uid }),
    done: (state, found, { now }) => applyPlannedCheck(state, found, now),
  }),
  start_planned: rule<AgreementState, Of<'start_planned'>, Opened>({
    lane: 'plan',
    awaiting: 'nothing',
    uninterruptible: true,
    run: ({ uid, order, handling, judged, requestedBy }, read, scope) => {
      const { connectionId } = read();
      const requestedAt = scope.now();
      return openPayment(scope, { uid, connectionId, order, handling, judged, requestedBy, requestedAt });
    },
    done: (state, opened, { now }) => applyStart(state, opened, now),
  }),
  report_on: reportRule<AgreementState>('agreement', readingOf),
  rest: { lane: 'learn', awaiting: 'nothing' },
};

/** It was not created, and is sent again later. If an earlier submission may have arrived, it is looked up first. */
function waitForDailyLimit(state: AgreementState, failure: CallFailure, now: Instant): AgreementState {
  const waiting = applyDailyLimit(markNotSent(state, now), failure, now);
  return provesAbsence(state) ? waiting : markOutcomeUnknown(KIND, waiting, now);
}

function afterCommand(
  state: AgreementState,
  { answer, requested }: { answer: SendCommandAnswer; requested: string[] },
  { step: { key }, now }: StepContext<Of<'send_command'>>,
): AgreementState {
  if (answer.outcome !== 'out_of_place')
    return answer.outcome === 'done'
      ? commands.markActionDone(state, key, now)
      : commands.markActionAccepted(state, key, now);
  const { fetched, code, title, advice: next } = answer;
  return commands.resolveActionOutOfPlace(KIND.apply(state, fetched, requested), key, {
    snapshotState: fetched.snapshot.state,
    now: fetched.fetchedAt,
    failure: { code, title, next },
  });
}

function afterFailedCommand(
  state: AgreementState,
  failure: CallFailure,
  { step: { key }, now }: StepContext<Of<'send_command'>>,
): AgreementState {
  // An earlier attempt may have succeeded without an answer. It is looked up once there is consent.
  const blocked = blockAfterFailure(commands.markActionUnanswered(state, key), failure, now);
  if (blocked !== undefined) return blocked;
  if (failure.isTimedOut === true) return commands.markActionUnanswered(state, key);
  return commands.markActionRefused(state, key, now, refusalIn(failure));
}

const TIMERS: Readonly<Record<Deadline['name'], string>> = {
  payer_decision: "Wait for the payer's five days to pass",
  resolution: 'Wait for the time by which an answer was requested',
  amendment_decision: "Wait for the payer's five days for the amendment to pass",
  amendment_resolution: 'Wait for the time by which an answer to the amendment was requested',
  validity_end: 'Wait for the last day of validity to end in Sydney',
};
