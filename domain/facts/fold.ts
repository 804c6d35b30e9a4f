// How facts become a state: one walk, shared by agreements and payments, driven by their tables.
// Pure, and it never throws: what the provider says is folded in, or kept and named (docs/architecture.md#facts-and-state).
import { inOrder } from './fact.js';
import type { Fact, Instant, Reason } from './fact.js';

/** The life of a kind of resource as data. */
export interface Lifecycle<State extends string> {
  /** State and event type to the next state. What is not here is not allowed. */
  moves: Readonly<Record<State, Readonly<Partial<Record<string, State>>>>>;
  /** Event types that are known and move nothing. */
  still: ReadonlySet<string>;
  /** Event types that move nothing, but name a change that only the resource itself shows. */
  needsLookUp: ReadonlySet<string>;
  /** How far along a state is: a snapshot never moves back, and never out of the last rank. */
  rank: Readonly<Record<State, number>>;
  finalRank: number;
  /** The provider publishes no events of it, so the newest answer says how it stands. */
  isSilent?: true;
  /** Given facts in order, the ids of those that only repeat what stands before an attempt that was begun since. They move nothing. */
  repeats?(ordered: readonly Fact[]): ReadonlySet<string>;
}

/** When a state was entered, and by what; all absent while nothing has moved. */
export interface Entered {
  since?: Instant | undefined;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
}

export interface Folded<State extends string> extends Entered {
  state: State;
  /** Ids of facts that the table does not allow where they stand. */
  conflicts: string[];
  /** Ids of facts that name a change which only a look-up shows. */
  needingLookUp: string[];
  /** Ids of facts of a type or state that we do not know. */
  unknown: string[];
  /** Ids of facts whose sender is known but whose bytes are not: they wait for a look-up that agrees. */
  unconfirmed: string[];
}

/** Whether this release knows the state. */
export function isState<State extends string>(
  lifecycle: Lifecycle<State>,
  value: string | undefined,
): value is State {
  return value !== undefined && Object.hasOwn(lifecycle.moves, value);
}

/** Whether no event leads out of the state. */
export function isFinalIn<State extends string>(lifecycle: Lifecycle<State>, state: State): boolean {
  return lifecycle.rank[state] === lifecycle.finalRank;
}

/** Whether it is an event, or shows a state, that these tables do not know: kept, and for a person to see. */
export const isUnrecognised = <State extends string>(
  lifecycle: Lifecycle<State>,
  { type, state }: Pick<Fact, 'type' | 'state'>,
): boolean =>
  type === 'observed'
    ? !isState(lifecycle, state)
    : !lifecycle.still.has(type) && !lifecycle.needsLookUp.has(type) && !isListedType(lifecycle, type);

type Verdict<State> = { to: State } | 'still' | 'needingLookUp' | 'conflicts' | 'unknown' | 'unconfirmed';

/**
 * What this set of facts amounts to, starting from the state that older, dropped facts had reached, and how it was entered.
 * @param visit is given each fact that leads to a state, be it the one that stands.
 */
export function fold<State extends string>(
  lifecycle: Lifecycle<State>,
  start: State,
  facts: readonly Fact[],
  entered: Entered = {},
  visit: (state: State, fact: Fact) => void = () => undefined,
): Folded<State> {
  const folded: Folded<State> = {
    ...entered,
    state: start,
    conflicts: [],
    needingLookUp: [],
    unknown: [],
    unconfirmed: [],
  };
  const ordered = inOrder(facts);
  const repeats = lifecycle.repeats?.(ordered);
  for (const fact of ordered) {
    const verdict = repeats?.has(fact.id) === true ? 'still' : judge(lifecycle, folded.state, fact);
    if (verdict === 'still') continue;
    if (typeof verdict === 'string') folded[verdict].push(fact.id);
    else {
      if (verdict.to !== folded.state) enter(folded, verdict.to, fact);
      visit(verdict.to, fact);
    }
  }
  return folded;
}

function enter<State extends string>(folded: Folded<State>, state: State, fact: Fact): void {
  folded.state = state;
  folded.since = fact.publishedAt;
  folded.causedBy = fact.causedBy;
  folded.reason = fact.reason;
}

function judge<State extends string>(lifecycle: Lifecycle<State>, state: State, fact: Fact): Verdict<State> {
  if (!fact.authenticated) return 'unconfirmed';
  if (fact.type === 'observed') return judgeObserved(lifecycle, state, fact);
  if (lifecycle.still.has(fact.type)) return 'still';
  if (lifecycle.needsLookUp.has(fact.type)) return 'needingLookUp';
  const next = Object.hasOwn(lifecycle.moves[state], fact.type)
    ? lifecycle.moves[state][fact.type]
    : undefined;
  if (next !== undefined) return { to: next };
  return isListedType(lifecycle, fact.type) ? 'conflicts' : 'unknown';
}

/** The provider's own resource wins over what we missed, but an old snapshot never takes anything back: only one that was waited for. */
function judgeObserved<State extends string>(
  lifecycle: Lifecycle<State>,
  state: State,
  { state: observed, overrules }: Fact,
): Verdict<State> {
  if (!isState(lifecycle, observed)) return 'unknown';
  if (overrules === true) return { to: observed };
  if (observed === state || lifecycle.rank[observed] < lifecycle.rank[state]) return 'still';
  return isFinalIn(lifecycle, state) ? 'conflicts' : { to: observed };
}

function isListedType<State extends string>(lifecycle: Lifecycle<State>, type: string): boolean {
  return Object.keys(lifecycle.moves).some(
    (state) => isState(lifecycle, state) && Object.hasOwn(lifecycle.moves[state], type),
  );
}
