// Creates a resource at the provider under our own uid. It is sent again only if the last submission had no effect, or the provider has not had the
// resource for long enough (`ABSENT_AFTER`). Plain JSON and pure; the same for all resources that we create.
import { inOrder, type Fact, type Instant } from '../../../domain/facts/fact.js';
import { lower, type AttentionCode } from '../../../domain/attention/flags.js';
import { unaskedInWords } from '../blocked.js';
import {
  isLookUpStillDue,
  markLookUpStarted,
  type ResourceState,
  type ParkedFor,
  type Submission,
} from '../state.js';
import { raiseFlag } from '../../engine/flags.js';
import type { Lifecycle } from '../../../domain/facts/fold.js';
import type { Meaning } from '../../../domain/provider/error-meaning.js';
import type { Refusal } from '../../../domain/facts/snapshot.js';
import type { CallFailure } from '../../engine/call-failure.js';

/**
 * Delays before looking up a submission without a clear answer, in seconds after its outcome became unknown or after the last look-up without it.
 * The last one repeats (docs/architecture.md#payments-never-twice). This keeps the answers apart even after an outage on our side.
 */
const RESOLVE_AFTER_SECONDS = [5, 10, 30, 75, 120] as const;
/** It counts as absent after this many answers without it, the last one at least so many seconds after its outcome became unknown. */
const ABSENT_AFTER = { answers: 3, seconds: 120 } as const;
/** From this time after a submission on, an answer reflects that submission and not the state before it. */
export const VISIBLE_AFTER_MS = ABSENT_AFTER.seconds * 1000;
/** After so many submissions, each followed by absence, it is parked. */
export const MOST_ROUNDS = 3;
/** The longest pause before a submission without effect is sent again. */
const LONGEST_PAUSE_MS = 10 * 60 * 1000;

type Sent = Pick<ResourceState, 'submission' | 'attention' | 'facts' | 'isLookUpDue' | 'blocked' | 'isLost'>;

/** The name of the resource in texts, and its table. */
interface Kind {
  noun: string;
  lifecycle: Pick<Lifecycle<string>, 'repeats'>;
}

const updateSubmission = <State extends Sent>(state: State, change: Partial<Submission>): State => ({
  ...state,
  submission: { ...state.submission, ...change },
});

/** Recorded before anything is sent, so that after a crash we never assume that nothing was sent. */
export const markSending = <State extends Sent>(state: State): State =>
  updateSubmission(markLookUpStarted(state), {
    stage: 'sending',
    count: state.submission.count + 1,
    absences: 0,
    absentAt: undefined,
    notBefore: undefined,
    confirmsOnce: undefined,
  });

/** The submission certainly had no effect. @param pauseMs the delay before the next submission. None if something else must happen first. */
export function markNotSent<State extends Sent>(state: State, now: Instant, pauseMs = 0): State {
  const notBefore = pauseMs === 0 ? undefined : new Date(Date.parse(now) + pauseMs).toISOString();
  const { count, sentAt } = state.submission;
  return updateSubmission(state, {
    stage: 'ready',
    count: count - 1,
    sentAt: count > 1 ? sentAt : undefined,
    notBefore,
    hasWaited: true,
  });
}

/**
 * Postpones the submission, because the provider asked for a pause or did not take it. The delay doubles each time. If our own rate limit reserved
 * a slot (payments-api/rate/queue.ts), the next submission uses that slot.
 */
export function pauseSubmission<State extends Sent>(
  state: State,
  now: Instant,
  { code, retryAfterMs }: CallFailure,
): State {
  if (code === 'stopped') return updateSubmission(markNotSent(state, now), { isStopped: true });
  if (code === 'queued' && retryAfterMs !== undefined)
    return markNotSent(state, now, Math.min(retryAfterMs, LONGEST_PAUSE_MS));
  const { pauses } = state.submission;
  const pauseMs = Math.min(Math.max(retryAfterMs ?? 0, 1000 * 2 ** Math.min(pauses, 10)), LONGEST_PAUSE_MS);
  return updateSubmission(markNotSent(state, now, pauseMs), { pauses: pauses + 1 });
}

/** Records that it was sent, whatever the outcome. */
export const markSent = <State extends Sent>(state: State, now: Instant): State =>
  updateSubmission(state, { sentAt: now });

/** Whether a fact belongs to the latest submission, as far as we can tell. */
export const isOfNewest = (
  lifecycle: Pick<Lifecycle<string>, 'repeats'>,
  { facts, submission: { again } }: Sent,
  { id, publishedAt }: Fact,
): boolean =>
  again === undefined || (publishedAt > again.after && lifecycle.repeats?.(inOrder(facts)).has(id) !== true);

/** True if the provider has another resource under this uid. Then nothing received for the uid applies to ours. */
export const isUidOfAnother = ({
  isAnothers,
  submission,
}: Pick<ResourceState, 'isAnothers' | 'submission'>): boolean =>
  isAnothers === true || submission.parkedFor === 'difference';

/** No stop applies any more. */
export const markPaymentsResumed = <State extends Sent>(state: State): State =>
  updateSubmission(state, { isStopped: undefined });

/** A submission had no clear answer. If the provider has published an event about it, the provider has it. */
export function markOutcomeUnknown<State extends Sent>(
  { lifecycle, noun }: Kind,
  state: State,
  now: Instant,
): State {
  const isPublished = state.facts.some(
    (fact) => fact.authenticated && fact.source !== 'command' && isOfNewest(lifecycle, state, fact),
  );
  if (isPublished) return { ...markOpen(state), isLookUpDue: true };
  return raiseFlag(
    updateSubmission(state, { stage: 'sent', unknownSince: now, pauses: 0 }),
    'unknown_outcome',
    now,
    {
      detail: `The submission had no clear answer, so the provider may or may not have the ${noun}.`,
      next: 'Nothing to do: we look this uid up, and send it again only if the provider does not have it.',
    },
  );
}

/** The provider has it, as far as we know. */
export const markOpen = <State extends Sent>(state: State): State => ({
  ...updateSubmission(state, {
    stage: 'open',
    doubtedRefusal: undefined,
    confirmsOnce: undefined,
    parkedFor: undefined,
    pauses: 0,
  }),
  attention: OVER_ONCE_OPEN.reduce(lower, state.attention),
});

/** Flags for a resource whose presence at the provider was unknown. */
const OVER_ONCE_OPEN: readonly AttentionCode[] = ['unknown_outcome', 'parked', 'orphan'];

/** Whether a refusal proves absence. False if an earlier submission may have arrived: for example, it may have used up a limit. */
export const provesAbsence = ({ submission }: Sent): boolean => submission.count <= 1;

/** Refusals that a provider may give before it looks for the uid. The resource that it already has under this uid may have used up the limit. */
const BEFORE_UID: ReadonlySet<Meaning | undefined> = new Set<Meaning | undefined>([
  'limit',
  'over_limit',
  'too_soon',
  'terms_forbid',
  'wrong_state',
  'unrecognised',
  undefined,
]);

/** Whether one look-up must confirm the refusal of a first submission: another system, or a run that is forgotten, may have used the uid. */
export const mustConfirmRefusal = ({ submission }: Sent, means: Meaning | undefined): boolean =>
  submission.again === undefined && BEFORE_UID.has(means);

/** Stores the refusal of a first submission until one look-up has shown that the provider does not have the resource. */
export const confirmRefusal = <State extends Sent>(
  state: State,
  now: Instant,
  doubtedRefusal: Refusal,
): State =>
  updateSubmission(state, {
    stage: 'sent',
    unknownSince: now,
    pauses: 0,
    doubtedRefusal,
    confirmsOnce: true,
  });

/** Stores the refusal, but believes it only once the provider is known not to have the resource. An earlier submission may have used up the limit. */
export const applyDoubtedRefusal = <State extends Sent>(
  kind: Kind,
  state: State,
  now: Instant,
  doubtedRefusal: Refusal,
): State => markOutcomeUnknown(kind, updateSubmission(state, { doubtedRefusal }), now);

/** When to look the submission up, in milliseconds since the epoch. A parked one at once, because an operator requested it. */
export function resolveAt({ submission }: Sent): number {
  const { stage, absences, unknownSince = '', absentAt = unknownSince } = submission;
  if (stage === 'parked' || submission.confirmsOnce === true) return 0;
  const seconds = RESOLVE_AFTER_SECONDS[Math.min(absences, RESOLVE_AFTER_SECONDS.length - 1)] ?? 0;
  return Date.parse(absentAt) + seconds * 1000;
}

const ABSENT_NEXT =
  'Then resolve this flag: `adopt` looks it up again, `close` gives it up. We send nothing more, but still accept events of the provider about it.';

/**
 * The provider did not have it. After enough such answers over enough time, we conclude that the submission did not arrive.
 * @param lost the same for a resource whose last run has left no state.
 */
export function applyAbsence<State extends Sent>(
  state: State,
  now: Instant,
  noun: string,
  refused: (state: State, refusal: Refusal) => State,
  lost: (state: State) => State,
): State {
  const { submission } = state;
  if (submission.stage === 'parked') return { ...state, isLookUpDue: isLookUpStillDue(state) };
  // An event has opened it in the meantime.
  if (submission.stage !== 'sent') return state;
  if (submission.confirmsOnce === true && submission.doubtedRefusal !== undefined)
    return refused(state, submission.doubtedRefusal);
  const absences = submission.absences + 1;
  const counted = updateSubmission(state, { absences, absentAt: now });
  const sinceMs = Date.parse(now) - Date.parse(submission.unknownSince ?? now);
  if (absences < ABSENT_AFTER.answers || sinceMs < ABSENT_AFTER.seconds * 1000) return counted;
  if (submission.again !== undefined)
    return park(counted, now, 'unknown_again', {
      detail: `The ${noun} was sent again without a clear answer, and the provider shows no news of it. It may not have arrived, or may have ended the same way again.`,
      next: `Ask the provider whether it arrived. ${ABSENT_NEXT}`,
    });
  if (state.isLost === true) return lost(counted);
  if (submission.doubtedRefusal !== undefined) return refused(counted, submission.doubtedRefusal);
  if (submission.count < MOST_ROUNDS) return updateSubmission(counted, { stage: 'ready', hasWaited: true });
  return park(counted, now, 'absence', {
    detail: `The ${noun} was sent ${submission.count} times, each time without a clear answer, and the provider does not have it.`,
    next: `Ask the provider what prevents it. ${ABSENT_NEXT}`,
  });
}

/** It was parked as absent. An operator requested a new search, which takes as long as after a submission. */
export const restartSearch = <State extends Sent>(state: State, now: Instant): State =>
  updateSubmission(state, {
    stage: 'sent',
    unknownSince: now,
    absences: 0,
    absentAt: undefined,
    parkedFor: undefined,
  });

/** Parks a submission that may no longer be sent. An earlier one may still have arrived. @param why a clause that says why sending is forbidden. */
export const parkBlockedSubmission = <State extends Sent>(
  state: State,
  now: Instant,
  noun: string,
  why: string,
): State =>
  park(state, now, 'absence', {
    detail: `The ${noun} was sent ${state.submission.count} times without a clear answer, the provider does not have it, and ${why}.`,
    next: `Ask the provider what prevented it. ${ABSENT_NEXT}`,
  });

/** The provider has another resource under this uid. */
export const parkDifference = <State extends Sent>(
  state: State,
  now: Instant,
  noun: string,
  paths: string[],
): State =>
  park(state, now, 'difference', {
    detail: `The provider has another ${noun} under this uid; it differs in ${paths.join(', ')}.`,
    next: 'Compare the two at the provider, then resolve this flag: `adopt` accepts the provider’s one as ours, `close` gives ours up. We send nothing more.',
  });

/** Parks the submission: only an operator can decide, and consent would not help. @param words the problem, and what to do about it. */
export function park<State extends Sent>(
  state: State,
  now: Instant,
  parkedFor: ParkedFor,
  words: { detail: string; next: string },
): State {
  const calm = { ...state, blocked: undefined, attention: lower(state.attention, 'unknown_outcome') };
  return raiseFlag(updateSubmission(calm, { stage: 'parked', parkedFor }), 'parked', now, words);
}

/** An event of the provider about our uid shows that the provider has the resource. */
export function openByFact<State extends Sent>(state: State): State {
  const { stage, count, parkedFor } = state.submission;
  const isLost = parkedFor === 'absence' || parkedFor === 'unknown_again';
  const isInDoubt = stage === 'sent' || (stage === 'ready' && count > 0) || isLost;
  return isInDoubt ? { ...markOpen(state), isLookUpDue: true } : state;
}

/** The search of one day failed for some connections and so proves nothing. It repeats on the next day, and an operator sees why. */
export const flagFailedSearch = <State extends Sent>(
  state: State,
  failure: CallFailure,
  now: Instant,
  noun: string,
): State =>
  raiseFlag({ ...state }, 'orphan', now, {
    detail: `A notification named this ${noun}, but during a whole day some connections could not be searched for it: ${unaskedInWords(failure)}.`,
    next: 'Check the health of these connections and the failed activity in the history, and remove the cause. The search continues.',
  });

/** Neither we nor the provider know the resource. */
export const markOrphan = <State extends Sent>(state: State, now: Instant, noun: string): State =>
  raiseFlag(updateSubmission(state, { stage: 'unknown' }), 'orphan', now, {
    detail: `A notification named this ${noun}, but the provider did not have it during a whole day of polling.`,
    next: 'Ask the provider what the notification was about.',
  });
