// The desired steps of a counterparty, and the rule of each: its call, and how success and failure change the state. Its accounts are
// verified first. It is sent once all are cleared, and never again after a lost answer.
import {
  COUNTERPARTY_LIFECYCLE,
  checkOf,
  isCounterpartyFinal,
  registrationOf,
} from '../../domain/counterparty/lifecycle.js';
import { outcomeOfFailure } from '../../domain/counterparty/verification.js';
import { refusalIn } from '../engine/call-failure.js';
import { blockAfterFailure } from '../resource/blocked.js';
import { nextResourceStep, isOver as isOverOf, refOf } from '../resource/definition.js';
import { resourceRules } from '../resource/rules.js';
import { reportRule } from '../resource/report-rule.js';
import { reportSteps } from '../resource/reports.js';
import { msUntil, rule } from '../engine/step.js';
import { readCounterparty } from '../../domain/onboarding/reading.js';
import * as accounts from './accounts.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import { COUNTERPARTY_RECORD } from './records.js';
import type { CounterpartyLifecycleState } from '../../domain/counterparty/lifecycle.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CounterpartySnapshot } from '../../domain/counterparty/lifecycle.js';
import type { Verified } from '../../domain/counterparty/verification.js';
import type { CallFailure } from '../engine/call-failure.js';
import type { ResourceStep, ResourceDefinition } from '../resource/definition.js';
import type { EntityDefinition } from '../engine/reconcile.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { ReportStep } from '../resource/reports.js';
import type { StepRules } from '../engine/step.js';
import type { CounterpartyState } from './state.js';

/** `corrections` makes a verification from before a correction a different step. */
export type CounterpartyStep =
  | ResourceStep
  | ReportStep
  | { do: 'verify'; accountUid: string; corrections: number }
  | { do: 'await_next_try'; until: Instant };

const neverRead = () =>
  Promise.reject(new Error('a counterparty cannot be read, because the provider offers no way to do so'));

const KIND: ResourceDefinition<CounterpartyLifecycleState, CounterpartyState, CounterpartySnapshot> = {
  noun: 'counterparty',
  lifecycle: COUNTERPARTY_LIFECYCLE,
  hasHistory: false,
  submit: (call, state) =>
    call.createCounterparty({
      ...refOf(state),
      registration: registrationOf(state, state.accounts.map(withReference)),
    }),
  find: neverRead,
  lookUp: neverRead,
  watch: neverRead,
  adopt: neverRead,
  differences: () => [],
  isFinal: isCounterpartyFinal,
  recordRefusal: states.recordRefusal,
  applySnapshot: states.markRegistered,
};

const withReference = (account: accounts.Account) => ({ ...account, reference: account.checked?.reference });

const readingOf = (state: CounterpartyState): Reading => readCounterparty(viewOf(state));
const reportsDue = (state: CounterpartyState): ReportStep[] => reportSteps(state, 'counterparty', readingOf);

const isOver = (state: CounterpartyState): boolean => isOverOf(KIND, state) && reportsDue(state).length === 0;

const desiredSteps = (state: CounterpartyState): CounterpartyStep[] => [
  ...nextSteps(state),
  ...reportsDue(state),
];

function nextSteps(state: CounterpartyState): CounterpartyStep[] {
  const first = isOverOf(KIND, state) ? undefined : nextResourceStep(state);
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

const RULES = resourceRules(KIND);

export const STEPS: StepRules<CounterpartyState, CounterpartyStep> = {
  ...RULES,
  report_on: reportRule<CounterpartyState>('counterparty', readingOf),
  submit: {
    ...RULES.submit,
    failed: (state, failure, at) =>
      failure.code === 'rejected'
        ? states.markRefused(state, refusalIn(failure), at.now)
        : states.parkUnknownRegistration(RULES.submit.failed?.(state, failure, at) ?? state, at.now),
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
    done: (state, verified, { step, now }) => accounts.recordCheck(state, step.accountUid, now, verified),
    failed: (state, failure, { step, now }) =>
      blockAfterFailure(state, failure, now) ??
      accounts.recordCheck(state, step.accountUid, now, failedCheck(failure), failure.retryAfterMs),
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

export const COUNTERPARTY: EntityDefinition<CounterpartyState, CounterpartyStep> = {
  rules: STEPS,
  desiredSteps,
  record: COUNTERPARTY_RECORD,
  isOver,
  publish: published,
};
