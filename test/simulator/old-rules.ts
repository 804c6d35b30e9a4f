// Rules that were wrong once, each with the invariant that fails under it.
import { withSecondAttemptCalling, withSecondAttemptUnsent } from './old-attempts.js';
import {
  withEventsOfAnother,
  withFlightUncounted,
  withLaterUncounted,
  withUnknownPaymentUnkept,
  withUnsentPlannedForgotten,
} from './old-handlers.js';
import { SHIPPED, type Rules } from './rules.js';
import { withLowerRankAgreeing, withSuspensionUnseen, withOtherEndUnseen } from './old-look-ups.js';
import type { CallFailure } from '../../workflows/engine/call-failure.js';
import type { ResourceState } from '../../workflows/resource/state.js';
import type { PaymentState } from '../../workflows/payment/state.js';
import type { StepRule } from '../../workflows/engine/step.js';

type Row = StepRule<ResourceState, { do: string }>;

function withRows(change: (row: Row, step: string) => Row): Rules {
  const changed = <Table extends object>(table: Table): Table =>
    Object.fromEntries(Object.entries(table).map(([step, row]) => [step, change(row as Row, step)])) as Table;
  const { agreement, payment } = SHIPPED;
  return {
    ...SHIPPED,
    agreement: { ...agreement, rules: changed(agreement.rules) },
    payment: { ...payment, rules: changed(payment.rules) },
  };
}

const withRoundsWithoutEnd = (): Rules =>
  withRows((row, step) =>
    step === 'resolve'
      ? {
          ...row,
          done: (state, outcome, at) => {
            const next = row.done?.(state, outcome, at) ?? state;
            const isParked = next.submission.parkedFor === 'absence' && state.submission.stage === 'sent';
            if (!isParked) return next;
            return { ...state, submission: { ...next.submission, stage: 'ready', parkedFor: undefined } };
          },
        }
      : row,
  );

function withTokenSpentAgain(): Rules {
  const { connection } = SHIPPED;
  const { refresh } = connection.rules;
  const failed: typeof refresh.failed = (state, failure, at) =>
    refresh.failed?.(state, { ...failure, isTimedOut: undefined }, at) ?? state;
  return {
    ...SHIPPED,
    connection: { ...connection, rules: { ...connection.rules, refresh: { ...refresh, failed } } },
  };
}

const withAnyDenialForGood = (): Rules => ({
  ...withFailures((failure) => (failure.code === 'forbidden' ? { ...failure, lacksScope: true } : failure)),
  sweepResumes: false,
});

const withAgreementUnchecked = (): Rules => ({
  ...SHIPPED,
  isTimeChecked: false,
  payment: {
    ...SHIPPED.payment,
    desiredSteps: (state) => {
      const { isStopped, hasWaited } = state.submission;
      const submission = { ...state.submission, hasWaited: isStopped === true ? hasWaited : undefined };
      return SHIPPED.payment.desiredSteps({ ...state, submission });
    },
  },
});

const withForgottenStartedAsNew = (): Rules => ({ ...SHIPPED, remembers: false });

const withAskForgotten = (): Rules => ({
  ...SHIPPED,
  payment: {
    ...SHIPPED.payment,
    desiredSteps: (state) => {
      const steps = SHIPPED.payment.desiredSteps(state);
      return steps[0]?.do === 'ask_agreement' ? steps.slice(0, 1) : steps;
    },
    rules: {
      ...SHIPPED.payment.rules,
      ask_agreement: { ...SHIPPED.payment.rules.ask_agreement, run: () => new Promise(() => undefined) },
    },
  },
});

function withRetrySentLate(): Rules {
  const { payment } = SHIPPED;
  const { submit } = payment.rules;
  const timeless = (state: PaymentState): PaymentState =>
    state.submission.again === undefined
      ? state
      : { ...state, handling: { ...state.handling, submitBefore: '2999-01-01T00:00:00.000Z' } };
  return {
    ...SHIPPED,
    payment: {
      ...payment,
      desiredSteps: (state) => payment.desiredSteps(timeless(state)),
      rules: {
        ...payment.rules,
        submit: { ...submit, begin: (state, at) => submit.begin?.(timeless(state), at) ?? state },
      },
    },
  };
}

const withNoEffectUnknown = (): Rules =>
  withFailures((failure, step) =>
    step === 'submit' && HAD_NO_EFFECT.has(failure.code) ? { ...failure, code: 'unanswered' } : failure,
  );

const HAD_NO_EFFECT: ReadonlySet<string> = new Set(['rate_limited', 'unauthorised', 'token_not_refreshed']);

const withFailures = (as: (failure: CallFailure, step: string) => CallFailure): Rules =>
  withRows((row, step) => ({
    ...row,
    failed: (state, failure, at) => row.failed?.(state, as(failure, step), at) ?? state,
  }));

const withPaymentUnreported = (): Rules => ({
  ...SHIPPED,
  payment: {
    ...SHIPPED.payment,
    desiredSteps: (state) => SHIPPED.payment.desiredSteps(state).filter((step) => step.do !== 'report'),
  },
});

const withRefundUnreported = (): Rules => ({
  ...SHIPPED,
  refund: {
    ...SHIPPED.refund,
    desiredSteps: (state) => SHIPPED.refund.desiredSteps(state).filter((step) => step.do !== 'report'),
  },
});

const withCommandUnsent = (): Rules => ({
  ...SHIPPED,
  agreement: {
    ...SHIPPED.agreement,
    desiredSteps: (state) =>
      SHIPPED.agreement.desiredSteps(state).filter(({ do: step }) => step !== 'send_command'),
  },
});

const withFlagLeft = (): Rules =>
  withRows((row, step) =>
    step === 'resolve'
      ? {
          ...row,
          done: (state, outcome, at) => ({
            ...(row.done?.(state, outcome, at) ?? state),
            attention: state.attention,
          }),
        }
      : row,
  );

export const OLD_RULES = {
  'a look-up cannot contradict our final state': {
    rules: withLowerRankAgreeing(),
    shownBy: 'whatIsOverHereIsOverThere',
  },
  'a missing submission is sent again without limit': {
    rules: withRoundsWithoutEnd(),
    shownBy: 'everyLoopEnds',
  },
  'a refresh token is used again while its call is in flight': {
    rules: withTokenSpentAgain(),
    shownBy: 'tokenCallsNeverOverlap',
  },
  'every 403 waits for consent': {
    rules: withAnyDenialForGood(),
    shownBy: 'nothingWaitsForWhatCanNoLongerCome',
  },
  'a payment that waited does not check its agreement again': {
    rules: withAgreementUnchecked(),
    shownBy: 'nothingIsSentAfterAnEndThatWasKnown',
  },
  'a run after a forgotten one starts as new': {
    rules: withForgottenStartedAsNew(),
    shownBy: 'nothingRequestedIsForgotten',
  },
  'a payment is sent after its deadline': {
    rules: { ...SHIPPED, isTimeChecked: false },
    shownBy: 'nothingIsSentAfterItsLastMoment',
  },
  'a payment waits forever for its agreement': {
    rules: withAskForgotten(),
    shownBy: 'nothingWaitsForWhatCanNoLongerCome',
  },
  'a retry is sent after its deadline': {
    rules: withRetrySentLate(),
    shownBy: 'nothingIsSentAfterItsLastMoment',
    seed: 13,
  },
  'a refused submission counts as unclear': {
    rules: withNoEffectUnknown(),
    shownBy: 'nothingWaitsForWhatCanNoLongerCome',
  },
  'a payment does not report to its agreement': {
    rules: withPaymentUnreported(),
    shownBy: 'theLedgerHasTheProvidersOutcomes',
  },
  'a refund does not report to its payment': {
    rules: withRefundUnreported(),
    shownBy: 'everyRefundEndsAndIsReported',
  },
  'a command is never sent': { rules: withCommandUnsent(), shownBy: 'everyCommandEnds' },
  'a look-up ignores a suspension': {
    rules: withSuspensionUnseen(),
    shownBy: 'everyStateIsTheProviders',
  },
  'a flag stays after its cause has ended': { rules: withFlagLeft(), shownBy: 'everyFlagHasACause' },
  'a settled payment ignores another final state': {
    rules: withOtherEndUnseen(),
    shownBy: 'whatIsOverHereIsOverThere',
  },
  'each report of an unknown payment counts its failures again': {
    rules: withUnknownPaymentUnkept(),
    shownBy: 'noFailureIsCountedTwice',
    seed: 17,
  },
  'events of a payment that is not ours count': {
    rules: withEventsOfAnother(),
    shownBy: 'noPaymentOfAnotherIsTakenForOurs',
  },
  'payments in flight do not count towards consecutive failures': {
    rules: withFlightUncounted(),
    shownBy: 'theSchemeSuspendsNoAgreementForOurs',
  },
  'a second attempt calls again': {
    rules: withSecondAttemptCalling(),
    shownBy: 'atMostOneLivePaymentForAnIntent',
  },
  'a second attempt proves that the first one sent nothing': {
    rules: withSecondAttemptUnsent(),
    shownBy: 'atMostOneLivePaymentForAnIntent',
  },
  'the date of a planned payment that was never sent is lost': {
    rules: withUnsentPlannedForgotten(),
    shownBy: 'noPlannedDateIsLost',
  },
  'a retry ignores later payments': {
    rules: withLaterUncounted(),
    shownBy: 'noMoreIsTakenThanAgreed',
  },
} satisfies Readonly<Record<string, { rules: Rules; shownBy: string; seed?: number }>>;
