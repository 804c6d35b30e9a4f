// What changed between two states, as changes for the records. Plain JSON and pure.
import { changeOfFact, type Change } from './recording.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Fact } from '../../domain/facts/fact.js';

/** The facts that are new, or whose authenticated copy is. */
export function factChanges(before: readonly Fact[] | undefined, after: readonly Fact[]): Change[] {
  if (before === after) return [];
  const stored = new Set(before?.map(identityOf));
  return after.filter((fact) => !stored.has(identityOf(fact))).map(changeOfFact);
}

const identityOf = ({ id, authenticated }: Fact): string => `${authenticated ? '' : 'un'}authenticated ${id}`;

/** The flags that were raised or lowered. */
export function attentionChanges(
  before: readonly Attention[] | undefined,
  after: readonly Attention[],
): Change[] {
  if (before === after) return [];
  const had = new Set(before?.map(({ code }) => code));
  const has = new Set(after.map(({ code }) => code));
  const raised = after.filter(({ code }) => !had.has(code)).map((flag) => flagChange(flag, true));
  const lowered = (before ?? []).filter(({ code }) => !has.has(code)).map((flag) => flagChange(flag, false));
  return [...lowered, ...raised];
}

const flagChange = (flag: Attention, isRaised: boolean): Change => ({
  kind: 'attention',
  name: flag.code,
  data: { ...flag, isRaised },
});

/** The state, if it is a new one. @param data why, and since when. */
export const stateChange = (before: string | undefined, state: string, data: object): Change[] =>
  before === state ? [] : [{ kind: 'state', name: state, data: { ...data, from: before } }];

/** The items that are new in a list, or have changed there. */
export function listChanges<Item extends object>(
  before: readonly Item[] | undefined,
  after: readonly Item[] | undefined,
  toChange: (item: Item) => Change,
): Change[] {
  if (before === after || after === undefined) return [];
  const same = new Set<object>(before);
  const texts = new Set(before?.map((item) => JSON.stringify(item)));
  return after.filter((item) => !same.has(item) && !texts.has(JSON.stringify(item))).map(toChange);
}
