// A counterparty: its steps and their rules, its messages, and what it records. Its accounts are verified first. It is sent once all are cleared,
// and never again after a lost answer, because the provider cannot be asked for it.
import {
  COUNTERPARTY_LIFECYCLE,
  checkOf,
  isCounterpartyFinal,
  registrationOf,
  type CounterpartySnapshot,
} from '../../domain/counterparty/lifecycle.js';
import { outcomeOfFailure, type Verified } from '../../domain/counterparty/verification.js';
import { readCounterparty, type Reading } from '../../domain/onboarding/reading.js';
import { refusalIn, type CallFailure } from '../engine/call-failure.js';
import { listChanges, stateChange } from '../engine/changes.js';
import { unblock, updateState } from '../engine/handlers.js';
import { msUntil, rule, type StepRules } from '../engine/step.js';
import { blockAfterFailure } from '../resource/blocked.js';
import { isOver as isOverOf } from '../resource/definition.js';
import { carrying, recordOfResource, type ResourceWorkflow } from '../resource/kit.js';
import { reportRule } from '../resource/report-rule.js';
import { addReporter, reportSteps, type ReportStep } from '../resource/reports.js';
import { foldedOf, refOf } from '../resource/state.js';
import {
  sendRules,
  sendStep,
  waitRules,
  waitStep,
  type SendStep,
  type Submitted,
  type WaitStep,
} from '../resource/submission/rules.js';
import * as accounts from './accounts.js';
import { validateChange, validateDecision } from './commands.js';
import { lostCounterparty } from './lost.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RecordDefinition } from '../engine/recording.js';
import type { CounterpartyInput, CounterpartyView, messages } from './contract.js';
import type { CounterpartyState } from './state.js';

/** `corrections` makes a verification from before a correction a different step. */
type CounterpartyStep =
  | WaitStep
  | SendStep
  | ReportStep
  | { do: 'verify'; accountUid: string; corrections: number }
  | { do: 'await_next_try'; until: Instant };

interface CounterpartyTypes {
  state: CounterpartyState;
  snapshot: CounterpartySnapshot;
  step: CounterpartyStep;
  input: CounterpartyInput;
  view: CounterpartyView;
  messages: typeof messages;
}

const KIND: Submitted<CounterpartyTypes> = {
  noun: 'counterparty',
  lifecycle: COUNTERPARTY_LIFECYCLE,
  submit: (call, state) =>
    call.createCounterparty({
      ...refOf(state),
      registration: registrationOf(state, state.accounts.map(withReference)),
    }),
  apply: states.applyRegistration,
  applyRefusal: states.applyRefusal,
};
const ENDS = { lifecycle: COUNTERPARTY_LIFECYCLE, isFinal: isCounterpartyFinal };

const withReference = (account: accounts.Account) => ({ ...account, reference: account.checked?.reference });

const readingOf = (state: CounterpartyState): Reading => readCounterparty(viewOf(state));
const reportsDue = (state: CounterpartyState): ReportStep[] => reportSteps(state, 'counterparty', readingOf);

const isOver = (state: CounterpartyState): boolean => isOverOf(ENDS, state) && reportsDue(state).length === 0;

const desiredSteps = (state: CounterpartyState): CounterpartyStep[] => [
  ...nextSteps(state),
  ...reportsDue(state),
];

function nextSteps(state: CounterpartyState): CounterpartyStep[] {
  const first = isOverOf(ENDS, state) ? undefined : (waitStep(state) ?? sendStep(state));
  if (first === undefined) return [];
  const isToSend = first.do === 'submit' && state.submission.stage === 'ready';
  if (isToSend && state.refused !== undefined) return [{ do: 'await_operator' }];
  const before = isToSend ? verificationSteps(state) : [];
  return before.length > 0 ? before : [first];
}

/** Verifies all accounts even if the first one fails, so that a person sees all necessary corrections at once. */
function verificationSteps(state: CounterpartyState): CounterpartyStep[] {
  const due = state.accounts.find(accounts.isCheckDue);
  if (due !== undefined) return [{ do: 'verify', accountUid: due.uid, corrections: due.corrections }];
  const until = accounts.nextCheckAt(state);
  return [
    ...(state.accounts.some(accounts.isBlocking) ? [{ do: 'await_operator' } as const] : []),
    ...(until === undefined ? [] : [{ do: 'await_next_try', until } as const]),
  ];
}

const SENDING = sendRules<CounterpartyTypes>(KIND);

const RULES: StepRules<CounterpartyState, CounterpartyStep> = {
  ...waitRules<CounterpartyState>(),
  ...SENDING,
  report_on: reportRule<CounterpartyState>('counterparty', readingOf),
  submit: {
    ...SENDING.submit,
    failed: (state, failure, at) =>
      failure.code === 'rejected'
        ? states.markRefused(state, refusalIn(failure), at.now)
        : states.parkUnknownRegistration(SENDING.submit.failed?.(state, failure, at) ?? state, at.now),
  },
  verify: rule<CounterpartyState, Extract<CounterpartyStep, { do: 'verify' }>, Verified>({
    lane: 'learn',
    awaiting: 'verification',
    begin: (state, { step }) => accounts.markCheckStarted(state, step.accountUid),
    run: ({ accountUid }, read, { call }) => {
      const account = accounts.accountOf(read(), accountUid);
      const { account_identifier, party_name } = account;
      return call.verifyAccount({
        ...refOf(read()),
        reference: accounts.referenceOf(account),
        check: checkOf(account) === 'alias_resolution' ? 'alias_resolution' : 'account_validation',
        account: { account_identifier, party_name },
        payer: read().payer,
      });
    },
    done: (state, verified, { step, now }) => accounts.applyCheck(state, step.accountUid, now, verified),
    failed: (state, failure, { step, now }) =>
      blockAfterFailure(state, failure, now) ??
      accounts.applyCheck(state, step.accountUid, now, failedCheck(failure), failure.retryAfterMs),
  }),
  await_next_try: {
    lane: 'clock',
    awaiting: 'verification',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'wait before the next verification'),
    done: (state, _over, { step, now }) => accounts.endWaits(state, step.until > now ? step.until : now),
  },
};

const failedCheck = ({ code, means, providerCodes, advice }: CallFailure): Verified => ({
  outcome: outcomeOfFailure(means, code === 'rejected'),
  result: providerCodes[0] ?? code,
  next: advice,
});

const RECORD = recordOfResource('counterparty', COUNTERPARTY_LIFECYCLE, {
  viewOf,
  ownChanges: (before: CounterpartyState | undefined, after: CounterpartyState) => [
    ...listChanges(before?.changes, after.changes, (change) => ({
      kind: 'command',
      name: change.kind,
      data: change,
    })),
    ...listChanges(before?.accounts, after.accounts, (account) => ({
      kind: 'decision',
      name: `account_${account.checked?.outcome ?? 'unchecked'}`,
      data: account,
    })),
  ],
});

/** Before it is sent, its state follows from its accounts and not from facts. */
const changes: RecordDefinition<CounterpartyState>['changes'] = (before, after) => {
  const { since, causedBy, reason } = foldedOf(COUNTERPARTY_LIFECYCLE, after);
  return [
    ...RECORD.changes(before, after).filter(({ kind }) => kind !== 'state'),
    ...stateChange(before && viewOf(before).state, viewOf(after).state, { since, causedBy, reason }),
  ];
};

export const COUNTERPARTY: ResourceWorkflow<CounterpartyTypes> = {
  rules: RULES,
  desiredSteps,
  isOver,
  publish: published,
  record: { ...RECORD, changes },
  handlers: {
    connectionRestored: updateState(unblock),
    reportTo: updateState(addReporter),
    resolveAttention: { validate: validateDecision, ...updateState(states.resolveFlag) },
    changeCounterparty: { validate: validateChange, ...updateState(states.applyChange) },
    view: { read: viewOf },
  },
  begin: states.newCounterparty,
  lost: lostCounterparty,
  viewOf,
  toCarry: carrying(COUNTERPARTY_LIFECYCLE),
  insteadOfCancelling:
    'A registered counterparty cannot be removed at the provider. To give up one that was not sent yet, resolve its flag.',
};
