// Folds facts into a state, driven by the table of each resource.
// Pure. It never throws on data from the provider: a fact moves the state, or it is stored and listed (docs/architecture.md#facts-and-state).
import {
  happenedAt,
  inOrder,
  isPublished,
  type Fact,
  type FactSource,
  type Instant,
  type Reason,
} from './fact.js';

/** The states and transitions of a resource, as data. */
export interface Lifecycle<State extends string> {
  /** The next state by state and event type. Every other transition is a conflict. */
  moves: Readonly<Record<State, Readonly<Partial<Record<string, State>>>>>;
  /** Known event types that move nothing. */
  still: ReadonlySet<string>;
  /** Event types that move nothing, but report a change that only the resource itself shows. */
  needsLookUp: ReadonlySet<string>;
  /** The progress of each state. Unless a snapshot `overrules`, it never moves the state to a lower rank or out of the final one. */
  rank: Readonly<Record<State, number>>;
  finalRank: number;
  /** Ids of facts that only repeat the outcome of an earlier attempt. They move nothing. @param ordered facts in order. */
  repeats?(ordered: readonly Fact[]): ReadonlySet<string>;
}

/** When and by what the current state was entered; all absent until the first move. */
export interface Entered {
  /** When it happened. A look-up shows only that it has happened, so the first event that reports the same state corrects it. */
  since?: Instant | undefined;
  /** How we know `since`. */
  sinceSource?: FactSource | undefined;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
}

export interface Folded<State extends string> extends Entered {
  state: State;
  /** Ids of facts that the table does not allow in the state at their time. */
  conflicts: string[];
  /** Ids of facts that report a change which only a look-up shows. */
  needingLookUp: string[];
  /** Ids of facts with an unknown type or state. */
  unknown: string[];
  /** Ids of unauthenticated facts, which wait for a look-up to confirm them. */
  unconfirmed: string[];
}

/** Whether the table knows the state. */
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

/** Whether the event type or the observed state is unknown to the table. Such facts are stored for an operator. */
export const isUnrecognised = <State extends string>(
  lifecycle: Lifecycle<State>,
  { type, state }: Pick<Fact, 'type' | 'state'>,
): boolean =>
  type === 'observed'
    ? !isState(lifecycle, state)
    : !lifecycle.still.has(type) && !lifecycle.needsLookUp.has(type) && !isListedType(lifecycle, type);

type Verdict<State> = { to: State } | 'still' | 'needingLookUp' | 'conflicts' | 'unknown' | 'unconfirmed';

/**
 * Folds the facts, starting from the state that older, dropped facts led to.
 * @param visit receives each fact that leads to a state, even to the current one.
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
    const verdict = repeats?.has(fact.id) === true ? 'still' : judge(lifecycle, folded, fact);
    if (verdict === 'still') continue;
    if (typeof verdict === 'string') folded[verdict].push(fact.id);
    else {
      if (verdict.to !== folded.state) enter(folded, verdict.to, fact);
      else if (folded.sinceSource === 'lookup' && isPublished(fact)) date(folded, fact);
      visit(verdict.to, fact);
    }
  }
  return folded;
}

function enter<State extends string>(folded: Folded<State>, state: State, fact: Fact): void {
  folded.state = state;
  date(folded, fact);
  folded.causedBy = fact.causedBy;
  folded.reason = fact.reason;
}

function date(folded: Folded<string>, fact: Fact): void {
  folded.since = happenedAt(fact);
  folded.sinceSource = fact.source;
}

function judge<State extends string>(
  lifecycle: Lifecycle<State>,
  { state, sinceSource }: Folded<State>,
  fact: Fact,
): Verdict<State> {
  if (!fact.authenticated) return 'unconfirmed';
  if (fact.type === 'observed') return judgeObserved(lifecycle, state, fact);
  if (lifecycle.still.has(fact.type)) return 'still';
  if (lifecycle.needsLookUp.has(fact.type)) return 'needingLookUp';
  const next = Object.hasOwn(lifecycle.moves[state], fact.type)
    ? lifecycle.moves[state][fact.type]
    : undefined;
  if (next !== undefined) return { to: next };
  if (sinceSource === 'lookup' && leadsTo(lifecycle, fact.type, state)) return { to: state };
  return isListedType(lifecycle, fact.type) ? 'conflicts' : 'unknown';
}

/** The provider's resource wins over events that we missed. A snapshot never moves back, unless it was confirmed over time (`overrules`). */
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

/** Whether an event of this type leads to the state from any other. */
const leadsTo = <State extends string>({ moves }: Lifecycle<State>, type: string, state: State): boolean =>
  Object.values<Readonly<Partial<Record<string, State>>>>(moves).some(
    (row) => Object.hasOwn(row, type) && row[type] === state,
  );

function isListedType<State extends string>(lifecycle: Lifecycle<State>, type: string): boolean {
  return Object.keys(lifecycle.moves).some(
    (state) => isState(lifecycle, state) && Object.hasOwn(lifecycle.moves[state], type),
  );
}
