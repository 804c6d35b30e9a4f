// The steps until the provider has a resource, and their rules. They serve all resources, also those that the provider cannot be asked for.
import { blockAfterFailure, stopped } from '../blocked.js';
import { isWithoutEffect, refusalIn, type CallFailure } from '../../engine/call-failure.js';
import { msUntil, rule, type StepRule, type StepRules } from '../../engine/step.js';
import { refOf, type ResourceState, type ResourceTypes } from '../state.js';
import * as states from './state.js';
import type { Fetched, Refusal } from '../../../domain/facts/snapshot.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Lifecycle } from '../../../domain/facts/fold.js';
import type { Calls, Scope } from '../../engine/runtime.js';

/** What a workflow supplies about a resource that we create at the provider. */
export interface Submitted<T extends ResourceTypes> {
  noun: string;
  lifecycle: Lifecycle<string>;
  /** `accepted`: the provider took it, and its answer contains no snapshot. */
  submit(call: Calls, state: T['state']): Promise<Fetched<T['snapshot']> | 'accepted'>;
  /** Applies the answer. */
  apply(state: T['state'], fetched: Fetched<T['snapshot']>): T['state'];
  /** Set if a submission can become outdated or forbidden. */
  sending?: Sending<T['state']>;
  /** Records that it was never sent and never will be. By default as a refusal. */
  lapse?(this: void, state: T['state'], now: Instant): T['state'];
  /** Records that the provider refused to create it. */
  applyRefusal(this: void, state: T['state'], now: Instant, refusal: Refusal): T['state'];
}

/** When a resource may still be sent. */
export interface Sending<State> {
  /** The last moment to send it. */
  until(state: State): Instant | undefined;
  /** Why it may no longer be sent, apart from time, as a clause. Undefined if it may. */
  blockedBy(state: State): string | undefined;
  /** Records the end of a resource that may no longer be sent and never was. */
  neverSent(state: State, now: Instant): State;
  /** If an earlier run, before a reset, may have sent it: the state that looks it up first. Undefined if it cannot have been sent. */
  searched(state: State, now: Instant): State | undefined;
}

export type WaitStep =
  { do: 'await_consent' } | { do: 'await_access'; until: Instant } | { do: 'await_operator' };
export type SendStep = { do: 'submit' } | { do: 'pause'; until: Instant };

/** The wait for a person, for consent, or for the end of a pause, if the provider must not be called now. */
export function waitStep(state: ResourceState): WaitStep | undefined {
  const { submission, blocked, isLookUpDue } = state;
  // An absent resource may be looked up again. A different resource under our uid needs an operator.
  if (submission.stage === 'parked' && (isLookUpDue === false || states.isUidOfAnother(state)))
    return { do: 'await_operator' };
  if (submission.stage === 'ready' && state.isTaken === true) return { do: 'await_operator' };
  if (blocked?.until !== undefined) return { do: 'await_access', until: blocked.until };
  return blocked === undefined ? undefined : { do: 'await_consent' };
}

/** The next step of a resource that is not at the provider yet. */
export function sendStep({ submission: { stage, notBefore } }: ResourceState): SendStep | undefined {
  if (stage === 'ready' && notBefore !== undefined) return { do: 'pause', until: notBefore };
  return stage === 'ready' || stage === 'sending' ? { do: 'submit' } : undefined;
}

export const waitRules = <State extends ResourceState>(): StepRules<State, WaitStep> => ({
  await_consent: { lane: 'learn', awaiting: 'reauthorisation' },
  // Consent may be missing after all. If it arrives earlier, it ends this wait.
  await_access: {
    lane: 'learn',
    awaiting: 'reauthorisation',
    run: ({ until }, _read, { sleep, now }) =>
      sleep(msUntil(until, now()), 'Pause before retrying the refused call'),
    done: (state) => ({ ...state, blocked: undefined }),
  },
  await_operator: { lane: 'learn', awaiting: 'operator' },
});

/** Records a refusal that certainly left nothing at the provider. */
export const refusedBy =
  <T extends ResourceTypes>({ applyRefusal }: Submitted<T>, now: Instant) =>
  (state: T['state'], refusal: Refusal): T['state'] =>
    states.markOpen(applyRefusal({ ...state, isLookUpDue: false }, now, refusal));

export function sendRules<T extends ResourceTypes>(kind: Submitted<T>): StepRules<T['state'], SendStep> {
  return {
    submit: rule<T['state'], SendStep, Fetched<T['snapshot']> | 'accepted' | undefined>({
      lane: 'command',
      awaiting: 'provider-acceptance',
      uninterruptible: true,
      begin: (state, { now }) => endIfBlocked(kind, state, now) ?? states.markSending(state),
      // If sending became forbidden when the step started, send nothing.
      run: async (_step, read, scope) =>
        read().submission.stage === 'sending' ? submission(kind, read, scope) : undefined,
      done: (state, answer, { now }) => {
        if (answer === undefined) return state;
        const sent = states.markSent(state, now);
        return answer === 'accepted' ? states.markOpen(sent) : kind.apply(sent, answer);
      },
      failed: (state, failure, { now }) => {
        const after = afterSubmission(kind, states.markSent(state, now), failure, now);
        return (after.submission.stage === 'ready' ? endIfBlocked(kind, after, now) : undefined) ?? after;
      },
    }),
    pause: {
      lane: 'command',
      awaiting: 'provider-acceptance',
      run: ({ until }, _read, { sleep, now }) =>
        sleep(msUntil(until, now()), `Pause before sending the ${kind.noun} again`),
      done: (state) => ({ ...state, submission: { ...state.submission, notBefore: undefined } }),
    },
  };
}

/** Sends it. Withdraws the call if sending becomes forbidden before a worker has started it. */
const submission = <T extends ResourceTypes>(
  kind: Submitted<T>,
  read: () => T['state'],
  { call, unless }: Scope,
): Promise<Fetched<T['snapshot']> | 'accepted'> => {
  const { sending } = kind;
  if (sending === undefined) return kind.submit(call, read());
  return unless(
    () => sending.blockedBy(read()) !== undefined,
    (calls) => kind.submit(calls, read()),
  );
};

/** The next state if the resource may no longer be sent. Undefined if it may. */
export function endIfBlocked<T extends ResourceTypes>(
  { sending, noun }: Pick<Submitted<T>, 'sending' | 'noun'>,
  state: T['state'],
  now: Instant,
): T['state'] | undefined {
  if (sending === undefined) return undefined;
  const until = sending.until(state);
  const isLate = until !== undefined && now > until;
  const why = sending.blockedBy(state) ?? (isLate ? 'its deadline for sending has passed' : undefined);
  if (why === undefined) return undefined;
  // Only a resource that was never sent is certain to have had no effect.
  return state.submission.count === 0
    ? (sending.searched(state, now) ?? neverSent(sending, state, now))
    : states.parkBlockedSubmission(state, now, noun, why);
}

/** What the provider never had cannot be looked up, also if that was requested. It has the attempts before a retry. */
function neverSent<State extends ResourceState>(sending: Sending<State>, state: State, now: Instant): State {
  const ended = states.markOpen(sending.neverSent(state, now));
  return state.submission.again === undefined ? { ...ended, isLookUpDue: false } : ended;
}

/** The state after a failed submission: blocked, postponed, refused, or with an unknown outcome. */
function afterSubmission<T extends ResourceTypes>(
  kind: Submitted<T>,
  state: T['state'],
  failure: CallFailure,
  now: Instant,
): T['state'] {
  // A call without consent is refused before it has any effect, so it does not count as sent.
  const blocked = blockAfterFailure(states.markNotSent(state, now), failure, now);
  if (blocked !== undefined) return blocked;
  if (isWithoutEffect(failure)) return states.pauseSubmission(state, now, failure);
  const isRefused = failure.code === 'rejected' && failure.means !== 'duplicate_uid';
  if (!isRefused) return states.markOutcomeUnknown(kind, state, now);
  const refusal = refusalIn(failure);
  if (!states.provesAbsence(state)) return states.applyDoubtedRefusal(kind, state, now, refusal);
  return states.mustConfirmRefusal(state, failure.means)
    ? states.confirmRefusal(state, now, refusal)
    : refusedBy(kind, now)(state, refusal);
}

/** Waits, without writing events, until no stop applies. For workflows that move money. */
export const resumptionRule = <State extends ResourceState>(): StepRule<State, { do: 'await_resumption' }> =>
  rule<State, { do: 'await_resumption' }, void>({
    lane: 'command',
    awaiting: 'stop',
    run: (_step, read, { call }) => call.awaitResumption(refOf(read())),
    done: states.markPaymentsResumed,
    failed: stopped,
  });
