// The steps of a resource that the provider can be asked for, and their rules: resolve a submission, look up, adopt, watch.
import { blockAfterFailure, stopped } from './blocked.js';
import { isNothingFound } from '../engine/call-failure.js';
import { rule, type AnyStep, type StepRule, type StepRules } from '../engine/step.js';
import { stayOpenRule, type StayOpenStep } from './reopened.js';
import { markChecked, nextLookUpMs } from './judge-snapshot.js';
import {
  foldedOf,
  isLookUpStillDue,
  markLookUpStarted,
  openQuestions,
  refOf,
  type ResourceState,
  type ResourceTypes,
} from './state.js';
import {
  refusedBy,
  sendRules,
  sendStep,
  waitRules,
  waitStep,
  type SendStep,
  type WaitStep,
} from './submission/rules.js';
import { flagFailedSearch, markOpen, markOrphan, applyAbsence, resolveAt } from './submission/state.js';
import type { AdoptArgs } from '../../activities/resource/read.js';
import type { AwaitingWhat } from '../../domain/attention/awaiting.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Fetched, Refusal } from '../../domain/facts/snapshot.js';
import type { Calls } from '../engine/runtime.js';
import type { Followed, WatchedChange } from './definition.js';

export type FollowStep =
  { do: 'resolve'; count: number; absences: number } | { do: 'look_up'; doubts: number } | StayOpenStep;

/** All steps of a resource that events can name. */
export type ResourceStep = WaitStep | SendStep | FollowStep | { do: 'adopt' };

/** The resource step that precedes all steps of the workflow itself. Undefined once the provider has the resource and may be called. */
export const nextResourceStep = (state: ResourceState): ResourceStep | undefined =>
  waitStep(state) ?? adoptStep(state) ?? sendStep(state) ?? resolveStep(state);

const adoptStep = ({ submission: { stage } }: ResourceState): { do: 'adopt' } | undefined =>
  stage === 'adopting' ? { do: 'adopt' } : undefined;

/** Looks a submission up that had no clear answer, or that an operator wants to see. */
export const resolveStep = ({
  submission: { stage, count, absences },
}: ResourceState): FollowStep | undefined =>
  stage === 'sent' || stage === 'parked' ? { do: 'resolve', count, absences } : undefined;

/** Searches all connections, or the named one. */
type Adopt<T extends ResourceTypes> = (
  call: Calls,
  of: AdoptArgs,
) => Promise<Fetched<T['snapshot']> & { owner: string }>;

/** The shared rules of a resource that events can name. */
export const resourceRules = <T extends ResourceTypes>(
  kind: Followed<T>,
  adopt: Adopt<T>,
): StepRules<T['state'], ResourceStep> => ({
  ...waitRules<T['state']>(),
  ...sendRules<T>(kind),
  ...followRules<T>(kind),
  adopt: adoptRule(kind, adopt),
});

/** The rules that ask the provider for the resource. */
export const followRules = <T extends ResourceTypes>(
  kind: Followed<T>,
): StepRules<T['state'], FollowStep> => ({
  resolve: rule<T['state'], FollowStep, Fetched<T['snapshot']> | null>({
    lane: 'learn',
    awaiting: 'submission-outcome',
    begin: markLookUpStarted,
    run: async (_step, read, { call, sleep, now }) => {
      const pauseMs = resolveAt(read()) - Date.parse(now());
      if (pauseMs > 0) await sleep(pauseMs, 'Pause before looking up the submission');
      return kind.find(call, refOf(read()), read());
    },
    done: (state, found, { now }) =>
      found === null
        ? applyAbsence(state, now, kind.noun, refusedBy<T>(kind, now), (lost) => endLost(kind, lost, now))
        : kind.apply(state, found),
    failed: stopped,
  }),
  look_up: rule<
    T['state'],
    Extract<FollowStep, { do: 'look_up' }>,
    { fetched: Fetched<T['snapshot']> | null; requested: string[] }
  >({
    lane: 'learn',
    awaiting: 'look-up',
    begin: markLookUpStarted,
    run: async ({ doubts }, read, { call, sleep }) => {
      if (doubts > 0) await sleep(nextLookUpMs(doubts), 'Pause before the next look-up');
      const state = read();
      const requested = openQuestions(kind.lifecycle, state);
      const mayBeAbsent = endedBeforeItWasThere(kind, state);
      const fetched = await (mayBeAbsent
        ? kind.find(call, refOf(state), state)
        : kind.lookUp(call, refOf(state)));
      return { fetched, requested };
    },
    done: (state, { fetched, requested }) =>
      fetched === null ? applyNotThere(state, requested) : kind.apply(state, fetched, requested),
    failed: stopped,
  }),
  stay_open: stayOpenRule<T['state']>(),
});

/**
 * True if it ended before the provider had it, for example by a refusal. What anyone claims about it is looked up too, but the provider will
 * never have it, so nothing waits for that.
 */
const endedBeforeItWasThere = <T extends ResourceTypes>(kind: Followed<T>, state: T['state']): boolean =>
  kind.isFinal(foldedOf(kind.lifecycle, state).state) &&
  state.isProven !== true &&
  state.facts.every(({ source, authenticated }) => source === 'command' || !authenticated);

/** The provider does not have it, so the open claims were not about it. */
const applyNotThere = <State extends ResourceState>(state: State, requested: readonly string[]): State => ({
  ...markChecked(state, requested),
  ...{ isLookUpDue: isLookUpStillDue(state), isDoubtful: undefined, doubts: 0 },
});

/** The provider does not have a resource whose last run has left no state. What had ended by its own row, stays so. */
function endLost<T extends ResourceTypes>(kind: Followed<T>, state: T['state'], now: Instant): T['state'] {
  // These answers serve every request for a look-up.
  const certain: T['state'] = { ...state, isDoubtful: undefined, isLookUpDue: false };
  if (kind.isFinal(foldedOf(kind.lifecycle, state).state)) return markOpen(certain);
  return kind.lapse === undefined
    ? refusedBy<T>(kind, now)(certain, UNSENT)
    : markOpen(kind.lapse(certain, now));
}

const UNSENT: Refusal = {
  code: 'lapsed',
  title: 'Not sent: its workflow was lost before the provider had it.',
  next: 'If it is still needed, request it under another uid.',
};

/** Searches for a resource that only an event has named. */
const adoptRule = <T extends ResourceTypes>(
  kind: Followed<T>,
  adopt: Adopt<T>,
): StepRule<T['state'], { do: 'adopt' }> =>
  rule<T['state'], { do: 'adopt' }, Awaited<ReturnType<Adopt<T>>>>({
    lane: 'learn',
    awaiting: 'look-up',
    begin: markLookUpStarted,
    run: (_step, read, { call }) => adopt(call, searchOf(read())),
    done: (state, { owner, ...found }) => kind.apply({ ...state, connectionId: owner }, found),
    failed: (state, failure, { now }) =>
      isNothingFound(failure)
        ? markOrphan(state, now, kind.noun)
        : (blockAfterFailure(state, failure, now) ?? flagFailedSearch(state, failure, now, kind.noun)),
  });

/** The flag shows that one day of searching has failed. */
const searchOf = ({ uid, connectionId, attention }: ResourceState): AdoptArgs => ({
  uid,
  connectionId,
  pollIntervals: attention.some(({ code }) => code === 'orphan') ? 'late_adoption' : 'adoption',
});

/** Polls until something changes, at the step's poll intervals. */
export const pollRule = <T extends ResourceTypes, Step extends AnyStep & WatchedChange>(
  kind: Followed<T>,
  awaiting: AwaitingWhat,
): StepRule<T['state'], Step> =>
  rule<T['state'], Step, Fetched<T['snapshot']>>({
    lane: 'learn',
    awaiting,
    run: ({ do: _, ...watched }, read, { call }) => kind.watch(call, { ...refOf(read()), ...watched }),
    done: (state, fetched) => kind.apply(state, fetched),
    failed: stopped,
  });

/** Most notifications arrive within this time. A poll before that costs an extra task, and makes the task that ends the run fail. */
const NOTIFIED_WITHIN_MS = 5000;

/** As `pollRule`, for a change that an event reports. */
export const watchRule = <T extends ResourceTypes, Step extends AnyStep & WatchedChange>(
  kind: Followed<T>,
  awaiting: AwaitingWhat,
): StepRule<T['state'], Step> => ({
  ...pollRule<T, Step>(kind, awaiting),
  notifiedWithinMs: NOTIFIED_WITHIN_MS,
});
