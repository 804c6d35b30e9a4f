// What is done alike for everything that is followed at the provider: found, submitted, looked up, adopted and settled.
// A story gives what is its own (`Kind`), and has the steps for its table and the first part of what it wants.
import { blockedBy, blockedForGood, isNothingFound, isWithoutEffect, refusalIn } from './failure.js';
import { nextLookUpMs, settle } from './settle.js';
import { isSettled, openQuestions, ownerOf, withReceived } from './state.js';
import { rule } from './step.js';
import {
  isProof,
  opened,
  resolveAt,
  withAbsence,
  withDifference,
  withDoubtedRefusal,
  withNothingSent,
  withOrphanage,
  withPause,
  withSending,
  withUnknownOutcome,
} from './submission.js';
import type { Life } from '../../domain/fold.js';
import type { Fetched, Refusal, ResourceSnapshot } from '../../domain/snapshot.js';
import type { Instant } from '../../domain/fact.js';
import type { CallFailure } from './failure.js';
import type { Calls } from './runtime.js';
import type { Followed } from './state.js';
import type { At, StepRules } from './step.js';

/** Which of the provider's resources, and on whose account. */
export interface Ref {
  uid: string;
  connectionId: string;
}

/** What is a story's own. */
export interface Kind<
  LifeState extends string,
  State extends Followed<LifeState>,
  Snapshot extends ResourceSnapshot,
> {
  noun: string;
  life: Life<LifeState>;
  /** Whether the provider keeps a history of it; where it does not, a snapshot is all that it ever says. */
  hasHistory: boolean;
  submit(call: Calls, state: State): Promise<Fetched<Snapshot>>;
  /** Null where the provider says that it does not have it. */
  find(call: Calls, ref: Ref): Promise<Fetched<Snapshot> | null>;
  lookUp(call: Calls, ref: Ref): Promise<Fetched<Snapshot>>;
  adopt(call: Calls, of: Pick<State, 'uid' | 'connectionId'>): Promise<Fetched<Snapshot> & { owner: string }>;
  /** The paths at which what the provider has is not what was asked for. */
  differences(state: State, fetched: Fetched<Snapshot>): string[];
  /** What becomes of it then; parked where the story does not say. */
  differs?(state: State, now: Instant, paths: string[]): State;
  /** The provider has refused to create it. */
  refused(state: State, now: Instant, refusal: Refusal): State;
  /** What the story itself keeps of a snapshot. */
  absorb(state: State, fetched: Fetched<Snapshot>): State;
  /** What follows from a snapshot that has been settled. */
  settled?(state: State): State;
}

export type FollowedStep =
  | { do: 'submit' }
  | { do: 'pause'; until: Instant }
  | { do: 'resolve'; count: number; absences: number }
  | { do: 'adopt' }
  | { do: 'look_up'; doubts: number }
  | { do: 'await_consent' }
  | { do: 'await_operator' };

/** What comes before anything of the story's own; nothing once the provider is known to have it and may be called. */
export function followedStep({
  submission,
  blocked,
  isLookUpDue,
}: Followed<string>): FollowedStep | undefined {
  const { stage, count, absences, notBefore, parkedFor } = submission;
  const isParked = stage === 'parked';
  // What the provider did not have may be asked for again; what it has under our uid and is not ours is for an operator.
  if (isParked && !(isLookUpDue && parkedFor === 'absence')) return { do: 'await_operator' };
  if (blocked !== undefined) return { do: 'await_consent' };
  if (stage === 'adopting') return { do: 'adopt' };
  if (stage === 'ready' && notBefore !== undefined) return { do: 'pause', until: notBefore };
  if (stage === 'ready' || stage === 'sending') return { do: 'submit' };
  if (stage === 'sent' || isParked) return { do: 'resolve', count, absences };
  return undefined;
}

/** The look-up that is due, if one is. */
export const dueLookUp = <LifeState extends string>(
  life: Life<LifeState>,
  state: Followed<LifeState>,
): (FollowedStep & { do: 'look_up' }) | undefined =>
  state.isLookUpDue || !isSettled(life, state) ? { do: 'look_up', doubts: state.doubts } : undefined;

/**
 * The state once this snapshot has been taken in.
 * @param asked the questions, by id, that were open when it began to be fetched; without them it is taken to cover every one.
 */
export function withFetched<
  LifeState extends string,
  State extends Followed<LifeState>,
  Snapshot extends ResourceSnapshot,
>(
  kind: Kind<LifeState, State, Snapshot>,
  before: State,
  fetched: Fetched<Snapshot>,
  asked?: readonly string[],
): State {
  const { snapshot, history, fetchedAt } = fetched;
  const paths = kind.differences(before, fetched);
  const answered = { ...before, isLookUpDue: false, doubts: 0 };
  if (paths.length > 0)
    return (
      kind.differs?.(answered, fetchedAt, paths) ?? withDifference(answered, fetchedAt, kind.noun, paths)
    );
  const received = history.reduce(withReceived<State>, before);
  const known = { ...opened(kind.absorb(received, fetched)), isLookUpDue: false };
  const settled = settle(
    kind.life,
    known,
    { snapshot, fetchedAt },
    {
      explains: (id) => !kind.hasHistory || history.some((fact) => fact.id === id),
      covers: (id) => asked === undefined || asked.includes(id),
    },
  );
  return kind.settled?.(settled) ?? settled;
}

type Rules<State, Do extends FollowedStep['do']> = Pick<StepRules<State, FollowedStep>, Do>;
const refOf = (state: Followed<string>): Ref => ({ uid: state.uid, connectionId: ownerOf(state) });

/** The rows of a story's table for the steps that all stories of followed things have. */
export const followedRules = <
  LifeState extends string,
  State extends Followed<LifeState>,
  Snapshot extends ResourceSnapshot,
>(
  kind: Kind<LifeState, State, Snapshot>,
): StepRules<State, FollowedStep> => ({
  ...submissionRules(kind),
  ...readRules(kind),
  await_consent: { lane: 'learn', awaiting: 'reauthorisation' },
  await_operator: { lane: 'learn', awaiting: 'operator' },
});

/** Until the provider has it, has refused it, or is known not to have it. */
function submissionRules<
  LifeState extends string,
  State extends Followed<LifeState>,
  Snapshot extends ResourceSnapshot,
>(kind: Kind<LifeState, State, Snapshot>): Rules<State, 'submit' | 'pause' | 'resolve'> {
  const { noun } = kind;
  const taken = (state: State, fetched: Fetched<Snapshot>): State => withFetched(kind, state, fetched);
  const refusedBy =
    (now: Instant) =>
    (state: State, refusal: Refusal): State =>
      opened(kind.refused({ ...state, isLookUpDue: false }, now, refusal));
  return {
    submit: rule<State, FollowedStep, Fetched<Snapshot>>({
      lane: 'command',
      awaiting: 'provider-acceptance',
      uninterruptible: true,
      begin: withSending,
      run: (_step, read, { call }) => kind.submit(call, read()),
      done: taken,
      failed: (state, failure, { now }) => afterSubmission(state, failure, now, noun, refusedBy(now)),
    }),
    pause: {
      lane: 'command',
      awaiting: 'provider-acceptance',
      run: ({ until }, _read, { sleep, now }) =>
        sleep(msUntil(until, now()), `before the ${noun} is sent again`),
      done: (state) => ({ ...state, submission: { ...state.submission, notBefore: undefined } }),
    },
    resolve: rule<State, FollowedStep, Fetched<Snapshot> | null>({
      lane: 'learn',
      awaiting: 'submission-outcome',
      run: async (_step, read, { call, sleep, now }) => {
        const pauseMs = resolveAt(read()) - Date.parse(now());
        if (pauseMs > 0) await sleep(pauseMs, 'before asking whether the provider has it');
        return kind.find(call, refOf(read()));
      },
      done: (state, found, { now }) =>
        found === null ? withAbsence(state, now, noun, refusedBy(now)) : taken(state, found),
      failed: stopped,
    }),
  };
}

/** The provider has it: an adoption and a look-up take what it shows. */
function readRules<
  LifeState extends string,
  State extends Followed<LifeState>,
  Snapshot extends ResourceSnapshot,
>(kind: Kind<LifeState, State, Snapshot>): Rules<State, 'adopt' | 'look_up'> {
  return {
    adopt: rule<State, FollowedStep, Fetched<Snapshot> & { owner: string }>({
      lane: 'learn',
      awaiting: 'look-up',
      run: (_step, read, { call }) => kind.adopt(call, read()),
      done: (state, { owner, ...found }) => withFetched(kind, { ...state, connectionId: owner }, found),
      failed: (state, failure, at) => {
        if (isNothingFound(failure)) return withOrphanage(state, at.now, kind.noun);
        const blocked = blockedBy(failure, at.now, state.connectionId);
        // A day in which the provider could not be asked says nothing: it is asked again on the next one.
        return blocked === undefined ? { ...state } : { ...state, blocked };
      },
    }),
    look_up: rule<
      State,
      Extract<FollowedStep, { do: 'look_up' }>,
      { fetched: Fetched<Snapshot>; asked: string[] }
    >({
      lane: 'learn',
      awaiting: 'look-up',
      run: async ({ doubts }, read, { call, sleep }) => {
        if (doubts > 0) await sleep(nextLookUpMs(doubts), 'before the next look-up');
        const asked = openQuestions(kind.life, read());
        return { fetched: await kind.lookUp(call, refOf(read())), asked };
      },
      done: (state, { fetched, asked }) => withFetched(kind, state, fetched, asked),
      failed: stopped,
    }),
  };
}

/** What a read that failed for good leads to: it waits for consent, or for an operator. */
export const stopped = <State extends Followed<string>>(
  state: State,
  failure: CallFailure,
  { now }: Pick<At<unknown>, 'now'>,
): State => ({
  ...state,
  blocked: blockedBy(failure, now, state.connectionId) ?? blockedForGood(failure, now),
});

/** What a submission that failed amounts to: blocked, put off, refused, or of unknown outcome. */
function afterSubmission<State extends Followed<string>>(
  state: State,
  failure: CallFailure,
  now: Instant,
  noun: string,
  refused: (state: State, refusal: Refusal) => State,
): State {
  // A call that lacks consent is refused before anything happens, so nothing has been sent.
  const blocked = blockedBy(failure, now, state.connectionId);
  if (blocked !== undefined) return { ...withNothingSent(state, now), blocked };
  if (isWithoutEffect(failure)) return withPause(state, now, failure);
  const isRefused = failure.code === 'rejected' && failure.means !== 'duplicate_uid';
  if (!isRefused) return withUnknownOutcome(state, now, noun);
  const refusal = refusalIn(failure);
  return isProof(state) ? refused(state, refusal) : withDoubtedRefusal(state, now, noun, refusal);
}

export const msUntil = (at: Instant, now: Instant): number => Math.max(Date.parse(at) - Date.parse(now), 1);
