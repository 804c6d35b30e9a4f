// How a thing under a uid of ours comes to be at the provider: sent, and never sent again before the provider has long not
// had it. Plain JSON and pure; the same for whatever we create there.
import { inOrder } from '../../../domain/facts/fact.js';
import { lower } from '../../../domain/attention/flags.js';
import { unaskedInWords } from './blocked.js';
import { isLookUpStillDue, markLookUpStarted, raiseFlag } from './state.js';
import type { Fact, Instant } from '../../../domain/facts/fact.js';
import type { Lifecycle } from '../../../domain/facts/fold.js';
import type { AttentionCode } from '../../../domain/attention/flags.js';
import type { Refusal } from '../../../domain/facts/snapshot.js';
import type { CallFailure } from '../engine/call-failure.js';
import type { ResourceState, ParkedFor, Submission } from './state.js';

/**
 * How long to wait before asking for what was sent without an answer, in seconds since it was sent, or since the provider last did
 * not have it; the last one repeats (docs/architecture.md#payments-never-twice). So the answers never come all at once, not even after an outage here.
 */
const RESOLVE_AFTER_SECONDS = [5, 10, 30, 75, 120] as const;
/** It is absent when the provider did not have it this often, the last time so long after it was sent. */
const ABSENT_AFTER = { answers: 3, seconds: 120 } as const;
/** So long after it was sent an answer shows what came of it, and not what was before. */
export const VISIBLE_AFTER_MS = ABSENT_AFTER.seconds * 1000;
/** Sent so often and absent each time, it is parked. */
export const MOST_ROUNDS = 3;
/** The longest pause before what had no effect is sent again. */
const LONGEST_PAUSE_MS = 10 * 60 * 1000;

export const newSubmission = (stage: 'ready' | 'adopting'): Submission => ({
  stage,
  count: 0,
  absences: 0,
  pauses: 0,
});

type Submitted = Pick<
  ResourceState<string>,
  'submission' | 'attention' | 'facts' | 'isLookUpDue' | 'blocked'
>;

const updateSubmission = <State extends Submitted>(state: State, change: Partial<Submission>): State => ({
  ...state,
  submission: { ...state.submission, ...change },
});

/** Noted before anything is sent, so that no crash can make us believe that nothing was. */
export const markSending = <State extends Submitted>(state: State): State =>
  updateSubmission(markLookUpStarted(state), {
    stage: 'sending',
    count: state.submission.count + 1,
    absences: 0,
    absentAt: undefined,
    notBefore: undefined,
  });

/** Nothing came of it, for certain. @param pauseMs how long to wait before the next time; none where another thing is waited for. */
export function markNotSent<State extends Submitted>(state: State, now: Instant, pauseMs = 0): State {
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
 * The provider asked for a pause, or would not have it: the next time is later, and ever later. Where our own budget has reserved a turn
 * (payments-api/rate/queue.ts), the next time is that turn.
 */
export function pauseSubmission<State extends Submitted>(
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

/** The provider has had it, and it is sent once more, by another call and under the same uid. @param after all that is known by now. */
export const restartSubmission = <State extends Submitted>(state: State, after: Instant): State => ({
  ...state,
  submission: { ...newSubmission('ready'), hasWaited: true, again: { after } },
  isLookUpDue: false,
});

/** It has been sent by now, whatever came of it. */
export const markSent = <State extends Submitted>(state: State, now: Instant): State =>
  updateSubmission(state, { sentAt: now });

/** Whether a fact is of the newest submission, as far as can be known. */
export const isOfNewest = (
  lifecycle: Pick<Lifecycle<string>, 'repeats'>,
  { facts, submission: { again } }: Submitted,
  { id, publishedAt }: Fact,
): boolean =>
  again === undefined || (publishedAt > again.after && lifecycle.repeats?.(inOrder(facts)).has(id) !== true);

/** No stop keeps it back any more. */
export const markPaymentsResumed = <State extends Submitted>(state: State): State =>
  updateSubmission(state, { isStopped: undefined });

/** A submission had no clear answer; what the provider has published of it since says that it has it. */
export function markOutcomeUnknown<State extends Submitted>(
  lifecycle: Pick<Lifecycle<string>, 'repeats'>,
  state: State,
  now: Instant,
  noun: string,
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
      next: 'Nothing to do: the provider is asked for this very uid, and only what it does not have is sent again.',
    },
  );
}

/** The provider has it, as far as is known. */
export const markOpen = <State extends Submitted>(state: State): State => ({
  ...updateSubmission(state, { stage: 'open', doubtedRefusal: undefined, parkedFor: undefined, pauses: 0 }),
  attention: OVER_ONCE_OPEN.reduce(lower, state.attention),
});

/** Flags of what was not known to be at the provider. */
const OVER_ONCE_OPEN: readonly AttentionCode[] = ['unknown_outcome', 'parked', 'orphan'];

/**
 * Whether a refusal proves that the provider does not have it: only while no other submission is unaccounted for. A limit, say,
 * may have been used up by one whose answer was lost.
 */
export const provesAbsence = ({ submission }: Submitted): boolean => submission.count <= 1;

/** Believed only after the provider is known not to have it: an earlier submission may have used up the limit. */
export const recordDoubtedRefusal = <State extends Submitted>(
  lifecycle: Pick<Lifecycle<string>, 'repeats'>,
  state: State,
  now: Instant,
  noun: string,
  doubtedRefusal: Refusal,
): State => markOutcomeUnknown(lifecycle, updateSubmission(state, { doubtedRefusal }), now, noun);

/** When to ask the provider whether it has it, in milliseconds since the epoch: of what is parked at once, as an operator has asked. */
export function resolveAt({ submission }: Submitted): number {
  const { stage, absences, unknownSince = '', absentAt = unknownSince } = submission;
  if (stage === 'parked') return 0;
  const seconds = RESOLVE_AFTER_SECONDS[Math.min(absences, RESOLVE_AFTER_SECONDS.length - 1)] ?? 0;
  return Date.parse(absentAt) + seconds * 1000;
}

const ABSENT_NEXT =
  'Then resolve this flag: `adopt` has it asked for once more, `close` gives it up. Nothing more is sent from here; an event of the provider’s about it is taken up.';

/** The provider did not have it: once it has not had it for long, what was sent has not arrived and is on its way no more. */
export function recordAbsence<State extends Submitted>(
  state: State,
  now: Instant,
  noun: string,
  refused: (state: State, refusal: Refusal) => State,
): State {
  const { submission } = state;
  if (submission.stage === 'parked') return { ...state, isLookUpDue: isLookUpStillDue(state) };
  // An event has opened it meanwhile.
  if (submission.stage !== 'sent') return state;
  const absences = submission.absences + 1;
  const counted = updateSubmission(state, { absences, absentAt: now });
  const sinceMs = Date.parse(now) - Date.parse(submission.unknownSince ?? now);
  if (absences < ABSENT_AFTER.answers || sinceMs < ABSENT_AFTER.seconds * 1000) return counted;
  if (submission.again !== undefined)
    return park(counted, now, 'unknown_again', {
      detail: `The ${noun} was sent again without a clear answer, and the provider shows no news of it: it may not have been taken, or have come to the same end once more.`,
      next: `Ask the provider whether it was taken. ${ABSENT_NEXT}`,
    });
  if (submission.doubtedRefusal !== undefined) return refused(counted, submission.doubtedRefusal);
  if (submission.count < MOST_ROUNDS) return updateSubmission(counted, { stage: 'ready', hasWaited: true });
  return park(counted, now, 'absence', {
    detail: `The ${noun} was sent ${submission.count} times, each time without a clear answer, and the provider does not have it.`,
    next: `Ask the provider what stands in its way. ${ABSENT_NEXT}`,
  });
}

/** It was parked as absent; an operator has it asked for once more, for as long as after a submission. */
export const restartSearch = <State extends Submitted>(state: State, now: Instant): State =>
  updateSubmission(state, {
    stage: 'sent',
    unknownSince: now,
    absences: 0,
    absentAt: undefined,
    parkedFor: undefined,
  });

/**
 * It may not be sent any more, and may be at the provider after all, from a submission before, so it is asked for when an operator says so.
 * @param why a clause: what bars it.
 */
export const parkBlockedSubmission = <State extends Submitted>(
  state: State,
  now: Instant,
  noun: string,
  why: string,
): State =>
  park(state, now, 'absence', {
    detail: `The ${noun} was sent ${state.submission.count} times without a clear answer, the provider does not have it, and ${why}.`,
    next: `Ask the provider what stood in its way. ${ABSENT_NEXT}`,
  });

/** The provider has another thing under the uid. */
export const parkDifference = <State extends Submitted>(
  state: State,
  now: Instant,
  noun: string,
  paths: string[],
): State =>
  park(state, now, 'difference', {
    detail: `The provider has another ${noun} under this uid; it differs in ${paths.join(', ')}.`,
    next: 'Compare the two at the provider, then resolve this flag: `adopt` takes what the provider has for ours, `close` gives ours up. Nothing more is sent from here.',
  });

/** An operator has to judge it, and no consent would help. @param words what is in its way, and what to do about it. */
export function park<State extends Submitted>(
  state: State,
  now: Instant,
  parkedFor: ParkedFor,
  words: { detail: string; next: string },
): State {
  const calm = { ...state, blocked: undefined, attention: lower(state.attention, 'unknown_outcome') };
  return raiseFlag(updateSubmission(calm, { stage: 'parked', parkedFor }), 'parked', now, words);
}

/** An event of the provider's own about a uid of ours says that the provider has it. */
export function openByFact<State extends Submitted>(state: State): State {
  const { stage, count, parkedFor } = state.submission;
  const isLost = parkedFor === 'absence' || parkedFor === 'unknown_again';
  const isInDoubt = stage === 'sent' || (stage === 'ready' && count > 0) || isLost;
  return isInDoubt ? { ...markOpen(state), isLookUpDue: true } : state;
}

/** A day in which the provider could not be asked says nothing: it is asked again on the next one, and an operator sees why. */
export const flagFailedSearch = <State extends Submitted>(
  state: State,
  failure: CallFailure,
  now: Instant,
  noun: string,
): State =>
  raiseFlag({ ...state }, 'orphan', now, {
    detail: `A notification named this ${noun}, and in a whole day not every connection could be asked for it: ${unaskedInWords(failure)}.`,
    next: 'Remove what keeps these connections from being asked: see their health, and the failed activity in the history. It is asked for again meanwhile.',
  });

/** Neither here nor at the provider is it known. */
export const markOrphan = <State extends Submitted>(state: State, now: Instant, noun: string): State =>
  raiseFlag(updateSubmission(state, { stage: 'unknown' }), 'orphan', now, {
    detail: `A notification named this ${noun}, but the provider did not know it in a whole day of asking.`,
    next: 'Ask the provider what the notification was about.',
  });
