// What is kept of anything that is followed at the provider: facts, questions that they leave open, flags. Plain JSON and pure.
import { addFact, inOrder, isBefore, isPublished, latest } from '../../../domain/facts/fact.js';
import { fold, isUnrecognised } from '../../../domain/facts/fold.js';
import { truncateFact, surplusOver, withinBytes } from '../../../domain/facts/retention.js';
import { addDropped, isDropped } from '../../../domain/facts/dropped-hashes.js';
import { raise } from '../../../domain/attention/flags.js';
import type { Fact, Instant } from '../../../domain/facts/fact.js';
import type { Entered, Folded, Lifecycle } from '../../../domain/facts/fold.js';
import type { Attention, AttentionCode } from '../../../domain/attention/flags.js';
import type { Awaiting, AwaitingWhat } from '../../../domain/attention/awaiting.js';
import type { KeyRegister } from '../../../domain/commands/key-use.js';
import type { Blocked, Denials } from './blocked.js';
import type { Refusal } from '../../../domain/facts/snapshot.js';

/** Kept in full; of older ones only hashes of the ids, to know a repeat, and what they amounted to (docs/architecture.md#facts-and-state). */
const MAX_FACTS = 200;
/** Fewer where they are larger than this together, in bytes. */
const MAX_FACTS_BYTES = 192 * 1024;
/** More only while one of them, or one before them, is an open question, and never more than this. */
const MAX_FACTS_WITH_OPEN_QUESTIONS = 300;

/**
 * `ready`: nothing of it is at the provider. `sending`: it is on its way. `sent`: the provider may or may not have it. `open`: the
 * provider has it, or has refused it. `parked`: an operator must judge. `adopting`: a notification named it, and it is not
 * known here. `unknown`: nor is it at the provider.
 */
export const STAGES = ['ready', 'sending', 'sent', 'open', 'parked', 'adopting', 'unknown'] as const;
export type Stage = (typeof STAGES)[number];

export const PARKED_FOR = ['difference', 'absence', 'unknown_again'] as const;
export type ParkedFor = (typeof PARKED_FOR)[number];

export interface Submission {
  stage: Stage;
  /** How often it was sent. */
  count: number;
  /** When it was sent last, by our clock. */
  sentAt?: Instant | undefined;
  /** It is ready once more, after a wait: what allowed it may be old. */
  hasWaited?: true | undefined;
  /** It is ready, and waits until payments resume. */
  isStopped?: true | undefined;
  /** How often the provider did not have it since it was last sent. */
  absences: number;
  /** When it last did not have it. */
  absentAt?: Instant | undefined;
  /** When the outcome of the newest submission became unknown. */
  unknownSince?: Instant | undefined;
  /** How often in a row it came back without any effect, and until when it is not sent again for that. */
  pauses: number;
  notBefore?: Instant | undefined;
  /** A refusal that may be the doing of an earlier submission of ours: believed once nothing is found. */
  doubtedRefusal?: Refusal | undefined;
  /** The provider has had it, and it is sent again by a call that may not be repeated: only news tells that it was taken. */
  again?: { /** What the provider published until then is no news. */ after: Instant } | undefined;
  /** Why it is parked: the provider has another thing under the uid, takes it time and again and does not have it, or shows no news. */
  parkedFor?: ParkedFor | undefined;
}

export interface ResourceState<LifecycleState extends string> extends KeyRegister {
  uid: string;
  /** Whose account it belongs to; absent while that is not known. */
  connectionId?: string | undefined;
  /** Its id at the provider, where that takes no uid of ours and has said which. */
  providerId?: string | undefined;
  /** How far it has come to be at the provider. */
  submission: Submission;
  /** What facts that are no longer kept had amounted to, and how that state was entered. */
  start: LifecycleState;
  entered?: Entered | undefined;
  facts: Fact[];
  /** Hashes of the newest ids that are no longer kept (domain/facts/dropped-hashes.ts). */
  droppedHashes?: string[] | undefined;
  /** When the newest of those that the fold counts was published, by the provider's clock. A new event from before then has no certain place. */
  droppedUntil?: Instant | undefined;
  /** The open questions, by id, that the newest look-up could have explained and did not. */
  unexplained?: string[] | undefined;
  /** How many snapshots in a row left a question open. */
  doubts: number;
  /**
   * A look-up that a caller, a sweep or a deadline has asked for, and that was not made yet. `begun` while it is being made: what is asked
   * for meanwhile makes it due once more.
   */
  isLookUpDue: boolean | 'begun';
  /** It is over here; since then the provider has shown that it is not. */
  contradictedSince?: Instant | undefined;
  /** The provider's word that it is not over was taken against an end that it had published: an operator has to say how it is. */
  isContested?: true | undefined;
  /** The provider has shown it to be ours. */
  isProven?: true | undefined;
  /** The uid belongs to another thing at the provider, for good: ours was given up. */
  isAnothers?: true | undefined;
  /** An open question was dropped, or an old fact that may end it was not folded: whether it holds is in doubt until the provider answers. */
  isDoubtful?: true | undefined;
  /** The state in the newest snapshot. */
  snapshotState?: string | undefined;
  attention: Attention[];
  /** A reopened run does not end before. */
  openUntil?: Instant | undefined;
  /** Why the provider is not called now. */
  blocked?: Blocked | undefined;
  denials?: Denials | undefined;
  awaiting: Awaiting;
}

export const newResourceState = <LifecycleState extends string>(
  given: Pick<ResourceState<LifecycleState>, 'uid' | 'connectionId' | 'start' | 'submission'>,
  awaiting: Awaiting,
): ResourceState<LifecycleState> => ({
  ...given,
  awaiting,
  facts: [],
  doubts: 0,
  isLookUpDue: false,
  attention: [],
});

/** Notes what is awaited; the same wait keeps its beginning. */
export function setAwaiting<State extends { awaiting: Awaiting }>(
  state: State,
  what: AwaitingWhat,
  now: Instant,
  until?: Instant,
): State {
  const { awaiting } = state;
  if (awaiting.what === what && awaiting.until === until) return state;
  return { ...state, awaiting: { what, since: awaiting.what === what ? awaiting.since : now, until } };
}

/** The provider begins to be asked: what comes of it answers everyone who has asked for it until now, and none who do so later. */
export const markLookUpStarted = <State extends Pick<ResourceState<string>, 'isLookUpDue'>>(
  state: State,
): State => (state.isLookUpDue === true ? { ...state, isLookUpDue: 'begun' } : state);

/** The provider has answered: a look-up is due only where one was asked for since it began to be asked. */
export const isLookUpStillDue = ({ isLookUpDue }: Pick<ResourceState<string>, 'isLookUpDue'>): boolean =>
  isLookUpDue === true;

/** The flags that stand, with the one for what blocks the next step. */
export function attentionOf({
  attention,
  blocked,
}: Pick<ResourceState<string>, 'attention' | 'blocked'>): Attention[] {
  if (blocked === undefined) return attention;
  const { code, since, detail, next } = blocked;
  return raise(attention, { code, since, detail, next });
}

/** What came in the name of another connection counts only once the provider, asked on our own, agrees. */
export const withoutForeignAuthority = (
  state: Pick<ResourceState<string>, 'connectionId'>,
  fact: Fact,
): Fact => (isForeign(state, fact) ? { ...fact, authenticated: false } : fact);

/** Whether it came in the name of another connection. */
export const isForeign = (
  { connectionId }: Pick<ResourceState<string>, 'connectionId'>,
  { namedConnectionId }: Fact,
): boolean => namedConnectionId !== undefined && namedConnectionId !== connectionId;

/**
 * Keeps a fact once, however often it comes; the very same state where it was known. A new event from before `droppedUntil` is not folded:
 * that might undo what came after it. Pushed, it causes a look-up; read in a history, it came with the answer to one. An authenticated
 * event from after `droppedUntil` counts, even where an unauthenticated copy of it was dropped.
 */
export function storeFact<State extends ResourceState<string>>(state: State, received: Fact): State {
  const fact = withoutForeignAuthority(state, received);
  if (state.facts.every(({ id }) => id !== fact.id)) {
    const isOld = isFromDroppedPeriod(state, fact);
    if (isOld && fact.source === 'history') return state;
    const isCertain = !isOld && fact.authenticated && isPublished(fact);
    if (!isCertain && isDropped(state.droppedHashes, fact.id)) return state;
    if (isOld) {
      const droppedHashes = addDropped(state.droppedHashes, [fact.id]);
      // What says nothing of ours is checked already.
      return { ...state, droppedHashes, isLookUpDue: fact.isChecked === true ? state.isLookUpDue : true };
    }
  }
  const { facts, isNew } = addFact(state.facts, fact);
  return isNew
    ? { ...state, facts: facts.map((one) => (one.id === fact.id ? truncateFact(one) : one)) }
    : state;
}

/** Whether the provider published it by `droppedUntil`, or may have. */
export const isFromDroppedPeriod = (
  { droppedUntil }: Pick<ResourceState<string>, 'droppedUntil'>,
  fact: Fact,
): boolean => droppedUntil !== undefined && isPublished(fact) && !isBefore(droppedUntil, fact.publishedAt);

/** The state that all facts lead to. It folds every fact anew: do not call it for each of thousands. */
export const foldedOf = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  { start, facts, entered }: ResourceState<LifecycleState>,
): Folded<LifecycleState> => fold(lifecycle, start, facts, entered);

/** Facts, by id, that ask for a look-up which has not been made yet. */
export function openQuestions<LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): string[] {
  const { conflicts, needingLookUp, unknown, unconfirmed } = foldedOf(lifecycle, state);
  const open = [...conflicts, ...needingLookUp, ...unknown, ...unconfirmed];
  const checked = new Set(state.facts.filter(({ isChecked }) => isChecked).map(({ id }) => id));
  return open.filter((id) => !checked.has(id));
}

/** Whether nothing is left to be asked of the provider. */
export const isSettled = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): boolean => openQuestions(lifecycle, state).length === 0 && state.doubts === 0;

/** Right after everything known by now, by the provider's clock; `otherwise` where nothing is known. */
export function afterAllFacts({ facts }: Pick<ResourceState<string>, 'facts'>, otherwise: Instant): Instant {
  const last = inOrder(facts).at(-1)?.publishedAt;
  return last === undefined ? otherwise : new Date(Date.parse(last) + 1).toISOString();
}

/** What can be flagged. */
export interface Flagged {
  attention: Attention[];
}

/** A flag that is raised already keeps its date and its words. */
export const raiseFlag = <State extends Flagged>(
  state: State,
  code: AttentionCode,
  since: Instant,
  words: { detail: string; next: string },
): State => ({ ...state, attention: raise(state.attention, { code, since, ...words }) });

/** "Request Cancellation" in Temporal's UI is shown as a flag. @param next which command does what was meant. */
export const flagCancelRequest =
  (next: string) =>
  <State extends Flagged>(state: State, now: Instant): State =>
    raiseFlag(state, 'cancel_requested', now, {
      detail:
        'A request to cancel was sent to Temporal. The workflow goes on: without it, what is at the provider would be left alone.',
      next,
    });

/** Flagged for each event and each state that is new to this release. Only an operator lowers it: that a look-up agrees teaches nothing. */
export const flagUnrecognised = <LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  lifecycle: Lifecycle<LifecycleState>,
  state: State,
  { type, state: lifecycleState, receivedAt }: Pick<Fact, 'type' | 'state' | 'receivedAt'>,
): State =>
  isUnrecognised(lifecycle, { type, state: lifecycleState })
    ? raiseFlag(state, 'unrecognised', receivedAt, {
        detail: `The provider ${type === 'observed' ? `showed the state ${lifecycleState}` : `reported ${type}`}, which is new to this release.`,
        next: 'Nothing is lost: it is kept, and the provider is asked how things stand. Read in its documents what it means, act on it if need be, and report it, so that a release can know it. Of an agreement resolve this flag then.',
      })
    : state;

/**
 * Drops the oldest facts from what is kept, leaving what they amounted to and hashes of their ids. Open questions stay, as ids and types at the
 * least; where there are so many that they cannot, the provider is asked, and until then nothing is taken for certain.
 */
export function compact<LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  lifecycle: Lifecycle<LifecycleState>,
  state: State,
): State {
  const ordered = inOrder(state.facts);
  const open = openQuestions(lifecycle, state);
  const firstOpen = ordered.findIndex(({ id }) => open.includes(id));
  const surplus = Math.max(ordered.length - MAX_FACTS, surplusOver(ordered, MAX_FACTS_BYTES), 0);
  const closed = firstOpen === -1 ? surplus : Math.min(surplus, firstOpen);
  const cut = Math.max(closed, ordered.length - MAX_FACTS_WITH_OPEN_QUESTIONS);
  const short = cut === 0 ? { ...state, facts: ordered } : dropOldest(lifecycle, state, ordered, cut);
  const facts = withinBytes(short.facts, MAX_FACTS_BYTES);
  if (cut === 0 && facts.every((fact, index) => fact === ordered[index])) return state;
  return { ...short, facts, ...(cut > closed && { isLookUpDue: true, isDoubtful: true }) };
}

function dropOldest<LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  lifecycle: Lifecycle<LifecycleState>,
  state: State,
  ordered: readonly Fact[],
  cut: number,
): State {
  const surplus = ordered.slice(0, cut);
  const { state: start, since, causedBy, reason } = fold(lifecycle, state.start, surplus, state.entered);
  return {
    ...state,
    start,
    entered: { since, causedBy, reason },
    facts: ordered.slice(cut),
    droppedHashes: addDropped(
      state.droppedHashes,
      surplus.map(({ id }) => id),
    ),
    droppedUntil: latest([
      state.droppedUntil,
      surplus.findLast((fact) => fact.authenticated && isPublished(fact))?.publishedAt,
    ]),
  };
}

/** When the newest fact was published, by the provider's clock. */
export const lastFactAt = ({ facts }: Pick<ResourceState<string>, 'facts'>): Instant | undefined =>
  inOrder(facts).at(-1)?.publishedAt;

/** Whose account it belongs to. Only what is still being adopted may lack an owner, and that asks no other. */
export function ownerOf({ uid, connectionId }: Pick<ResourceState<string>, 'uid' | 'connectionId'>): string {
  if (connectionId === undefined) throw new Error(`expected ${uid} to have a connection by now`);
  return connectionId;
}
