// The rules of the steps that all resource workflows share: submit, find, look up, watch, adopt.
import { blockedForGood, blockAfterFailure } from './blocked.js';
import { isNothingFound, isWithoutEffect, refusalIn } from '../engine/call-failure.js';
import { refOf, applyFetched } from './definition.js';
import { stayOpenRule } from './reopened.js';
import { nextLookUpMs } from './settle.js';
import { openQuestions, markLookUpStarted } from './state.js';
import { msUntil, rule } from '../engine/step.js';
import {
  confirmRefusal,
  mustConfirmRefusal,
  provesAbsence,
  markOpen,
  resolveAt,
  recordAbsence,
  recordDoubtedRefusal,
  markNotSent,
  markOrphan,
  pauseSubmission,
  flagFailedSearch,
  markSending,
  parkBlockedSubmission,
  markSent,
  markPaymentsResumed,
  markOutcomeUnknown,
} from './submission.js';
import type { AdoptArgs } from '../../activities/resource/read.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Lifecycle } from '../../domain/facts/fold.js';
import type { AwaitingWhat } from '../../domain/attention/awaiting.js';
import type { Fetched, Refusal, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { CallFailure } from '../engine/call-failure.js';
import type { ResourceStep, ResourceDefinition, WatchedChange } from './definition.js';
import type { ResourceState } from './state.js';
import type { Scope } from '../engine/runtime.js';
import type { AnyStep, StepContext, StepRule, StepRules } from '../engine/step.js';

type Rules<State, Do extends ResourceStep['do']> = Pick<StepRules<State, ResourceStep>, Do>;

/** The shared rules, for a workflow's table. */
export const resourceRules = <
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
>(
  kind: ResourceDefinition<LifecycleState, State, Snapshot>,
): StepRules<State, ResourceStep> => ({
  ...submissionRules(kind),
  ...readRules(kind),
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
  stay_open: stayOpenRule<State>(),
});

/** The rules that apply until the provider has the resource, has refused it, or is known not to have it. */
function submissionRules<
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
>(kind: ResourceDefinition<LifecycleState, State, Snapshot>): Rules<State, 'submit' | 'pause' | 'resolve'> {
  const { noun } = kind;
  const taken = (state: State, fetched: Fetched<Snapshot>): State => applyFetched(kind, state, fetched);
  const refusedBy =
    (now: Instant) =>
    (state: State, refusal: Refusal): State =>
      markOpen(kind.recordRefusal({ ...state, isLookUpDue: false }, now, refusal));
  return {
    submit: rule<State, ResourceStep, Fetched<Snapshot> | 'accepted' | undefined>({
      lane: 'command',
      awaiting: 'provider-acceptance',
      uninterruptible: true,
      begin: (state, { now }) => endIfBlocked(kind, state, now) ?? markSending(state),
      // If sending became forbidden when the step started, send nothing.
      run: async (_step, read, scope) =>
        read().submission.stage === 'sending' ? submission(kind, read, scope) : undefined,
      done: (state, answer, { now }) => {
        if (answer === undefined) return state;
        return answer === 'accepted' ? markOpen(markSent(state, now)) : taken(markSent(state, now), answer);
      },
      failed: (state, failure, { now }) => {
        const after = afterSubmission(kind, markSent(state, now), failure, now, refusedBy(now));
        return (after.submission.stage === 'ready' ? endIfBlocked(kind, after, now) : undefined) ?? after;
      },
    }),
    pause: {
      lane: 'command',
      awaiting: 'provider-acceptance',
      run: ({ until }, _read, { sleep, now }) =>
        sleep(msUntil(until, now()), `Pause before sending the ${noun} again`),
      done: (state) => ({ ...state, submission: { ...state.submission, notBefore: undefined } }),
    },
    resolve: rule<State, ResourceStep, Fetched<Snapshot> | null>({
      lane: 'learn',
      awaiting: 'submission-outcome',
      begin: markLookUpStarted,
      run: async (_step, read, { call, sleep, now }) => {
        const pauseMs = resolveAt(read()) - Date.parse(now());
        if (pauseMs > 0) await sleep(pauseMs, 'Pause before looking up the submission');
        return kind.find(call, refOf(read()), read());
      },
      done: (state, found, { now }) =>
        isThere(kind, state, found) ? taken(state, found) : recordAbsence(state, now, noun, refusedBy(now)),
      failed: stopped,
    }),
  };
}

/** True if the snapshot reflects the latest submission, and not only the state before it. */
const isThere = <
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
>(
  kind: ResourceDefinition<LifecycleState, State, Snapshot>,
  state: State,
  found: Fetched<Snapshot> | null,
): found is Fetched<Snapshot> => found !== null && kind.showsBefore?.(state, found) !== true;

/** Sends it. Withdraws the call if sending becomes forbidden before a worker has started it. */
const submission = <
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
>(
  kind: ResourceDefinition<LifecycleState, State, Snapshot>,
  read: () => State,
  { call, unless }: Scope,
): Promise<Fetched<Snapshot> | 'accepted'> => {
  const { sending } = kind;
  if (sending === undefined) return kind.submit(call, read());
  return unless(
    () => sending.blockedBy(read()) !== undefined,
    (calls) => kind.submit(calls, read()),
  );
};

/** The next state if the resource may no longer be sent. Undefined if it may. */
export function endIfBlocked<
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
>(
  { sending, noun }: ResourceDefinition<LifecycleState, State, Snapshot>,
  state: State,
  now: Instant,
): State | undefined {
  if (sending === undefined) return undefined;
  const until = sending.until(state);
  const isLate = until !== undefined && now > until;
  const why = sending.blockedBy(state) ?? (isLate ? 'its deadline for sending has passed' : undefined);
  if (why === undefined) return undefined;
  // Only a resource that was never sent is certain to have had no effect.
  return state.submission.count === 0
    ? (sending.searched(state, now) ?? markOpen(sending.neverSent(state, now)))
    : parkBlockedSubmission(state, now, noun, why);
}

/** The rules of adoption and look-up, which apply the snapshot of a resource that the provider has. */
function readRules<
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
>(kind: ResourceDefinition<LifecycleState, State, Snapshot>): Rules<State, 'adopt' | 'look_up'> {
  return {
    adopt: rule<State, ResourceStep, Fetched<Snapshot> & { owner: string }>({
      lane: 'learn',
      awaiting: 'look-up',
      begin: markLookUpStarted,
      run: (_step, read, { call }) => kind.adopt(call, searchOf(read())),
      done: (state, { owner, ...found }) => applyFetched(kind, { ...state, connectionId: owner }, found),
      failed: (state, failure, at) => {
        if (isNothingFound(failure)) return markOrphan(state, at.now, kind.noun);
        return (
          blockAfterFailure(state, failure, at.now) ?? flagFailedSearch(state, failure, at.now, kind.noun)
        );
      },
    }),
    look_up: rule<
      State,
      Extract<ResourceStep, { do: 'look_up' }>,
      { fetched: Fetched<Snapshot>; requested: string[] }
    >({
      lane: 'learn',
      awaiting: 'look-up',
      begin: markLookUpStarted,
      run: async ({ doubts }, read, { call, sleep }) => {
        if (doubts > 0) await sleep(nextLookUpMs(doubts), 'Pause before the next look-up');
        const requested = openQuestions(kind.lifecycle, read());
        return { fetched: await kind.lookUp(call, refOf(read())), requested };
      },
      done: (state, { fetched, requested }) => applyFetched(kind, state, fetched, requested),
      failed: stopped,
    }),
  };
}

/** The flag shows that one day of searching has failed. */
const searchOf = ({ uid, connectionId, attention }: ResourceState<string>): AdoptArgs => ({
  uid,
  connectionId,
  pollIntervals: attention.some(({ code }) => code === 'orphan') ? 'late_adoption' : 'adoption',
});

/** Most notifications arrive within this time. A poll before that costs an extra task, and makes the task that ends the run fail. */
const NOTIFIED_WITHIN_MS = 5000;

/** Polls until something changes, at the step's poll intervals. @param options `asksAtOnce` if no notification is expected. */
export const watchRule = <
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
  Step extends AnyStep & WatchedChange,
>(
  kind: ResourceDefinition<LifecycleState, State, Snapshot>,
  awaiting: AwaitingWhat,
  { asksAtOnce, ...timed }: { isTimed?: true; asksAtOnce?: true } = {},
): StepRule<State, Step> =>
  rule<State, Step, Fetched<Snapshot>>({
    lane: 'learn',
    awaiting,
    ...timed,
    run: async ({ pollIntervals, snapshotState, snapshotStateUntil, answers }, read, { call, sleep }) => {
      if (asksAtOnce !== true) await sleep(NOTIFIED_WITHIN_MS, 'Wait for a notification before polling');
      const watched = { pollIntervals, snapshotState, snapshotStateUntil, answers };
      return kind.watch(call, { ...refOf(read()), ...watched });
    },
    done: (state, fetched) => applyFetched(kind, state, fetched),
    failed: stopped,
  });

/** Waits, without writing events, until no stop applies. For workflows that move money. */
export const resumptionRule = <State extends ResourceState<string>>(): StepRule<
  State,
  { do: 'await_resumption' }
> =>
  rule<State, { do: 'await_resumption' }, void>({
    lane: 'command',
    awaiting: 'stop',
    run: (_step, read, { call }) => call.awaitResumption(refOf(read())),
    done: markPaymentsResumed,
    failed: stopped,
  });

/** The state after a read failed for good: it waits for consent or for an operator. */
export const stopped = <State extends ResourceState<string>>(
  state: State,
  failure: CallFailure,
  { now }: Pick<StepContext<unknown>, 'now'>,
): State => blockAfterFailure(state, failure, now) ?? { ...state, blocked: blockedForGood(failure, now) };

/** The state after a failed submission: blocked, postponed, refused, or with an unknown outcome. */
function afterSubmission<State extends ResourceState<string>>(
  { lifecycle, noun }: { lifecycle: Pick<Lifecycle<string>, 'repeats'>; noun: string },
  state: State,
  failure: CallFailure,
  now: Instant,
  refused: (state: State, refusal: Refusal) => State,
): State {
  // A call without consent is refused before it has any effect, so it does not count as sent.
  const blocked = blockAfterFailure(markNotSent(state, now), failure, now);
  if (blocked !== undefined) return blocked;
  if (isWithoutEffect(failure)) return pauseSubmission(state, now, failure);
  const isRefused = failure.code === 'rejected' && failure.means !== 'duplicate_uid';
  if (!isRefused) return markOutcomeUnknown(lifecycle, state, now, noun);
  const refusal = refusalIn(failure);
  if (!provesAbsence(state)) return recordDoubtedRefusal(lifecycle, state, now, noun, refusal);
  return mustConfirmRefusal(state, failure.means)
    ? confirmRefusal(state, now, refusal)
    : refused(state, refusal);
}
