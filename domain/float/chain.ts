// The chain of balances of a float account: each entry starts at the balance where the entry before it ended. The provider orders entries only by
// their time, so entries of the same instant are put in the order of their balances (docs/provider.md#lists). Pure.
import type { Instant } from '../facts/fact.js';

/** An entry of a float account. Amounts are cents: positive for a credit, negative for a debit. */
export interface FloatEntry {
  id: string;
  at: Instant;
  amount: number;
  balanceAfter: number;
}

/** A balance, and the entry that left it. */
export interface ChainEnd {
  balance: number;
  entryId: string;
}

/** How far the chain was checked. The entries of the last instant are checked again, because others of that instant may follow. */
export interface ChainPlace {
  /** The last checked instant. */
  at: Instant;
  /** Where the entries before that instant may have ended. Empty at the start of the account. */
  ends: readonly ChainEnd[];
}

/** Two entries that do not follow each other. */
export interface ChainBreak {
  /** The instant of `after`. */
  at: Instant;
  beforeId: string;
  afterId: string;
  /** The balance that `before` left, and the one at which `after` starts. */
  expected: number;
  found: number;
}

/** The balance at which an entry starts. */
const startOf = ({ amount, balanceAfter }: FloatEntry): number => balanceAfter - amount;

/**
 * Follows the balances of entries, which must be given in the order of their instants. Where the account starts is unknown. If its first entries
 * cancel each other, they may have ended at any of their balances, until a later entry shows it.
 */
export function createChain(from: ChainPlace | undefined): {
  /** @param entries all entries of one instant, at least one. @returns them in the order of their balances. */
  addInstant: (entries: readonly FloatEntry[]) => FloatEntry[];
  breaks: () => readonly ChainBreak[];
  /** One instant before the first break. An entry that belongs there and is listed late is not older. Undefined without a break. */
  beforeBreak: () => ChainPlace | undefined;
  place: () => ChainPlace | undefined;
  /** The balance after the last entry. Undefined while it is not certain. */
  balance: () => number | undefined;
} {
  let place = from;
  let ends = from?.ends ?? [];
  const breaks: ChainBreak[] = [];
  let beforeBreak: ChainPlace | undefined;
  return {
    addInstant: (entries) => {
      const [first] = entries;
      if (first === undefined) return [];
      const before = place;
      place = { at: first.at, ends };
      const whole = ends.map((end) => inOrderFrom(entries, end.balance)).filter((path) => path !== undefined);
      const ordered = whole[0] ?? inOrderFrom(entries, likelyStart(entries)) ?? [...entries];
      if (whole.length === 0) breaks.push(...breaksIn(ordered, ends[0]));
      if (breaks.length > 0) beforeBreak ??= before ?? place;
      ends = whole.length > 0 ? whole.flatMap(endOf) : possibleEnds(ordered, ends.length === 0);
      return ordered;
    },
    breaks: () => breaks,
    beforeBreak: () => beforeBreak,
    place: () => place,
    balance: () => (ends.length === 1 ? ends[0]?.balance : undefined),
  };
}

/** More ends than this are not remembered: so many entries of the first instant never cancel each other. */
const MOST_ENDS = 100;

const endOf = (path: readonly FloatEntry[]): ChainEnd[] =>
  path.slice(-1).map(({ id, balanceAfter }) => ({ entryId: id, balance: balanceAfter }));

/** Entries that lead back to their start may have started, and so ended, at any of their balances. */
function possibleEnds(ordered: readonly FloatEntry[], isStartUnknown: boolean): ChainEnd[] {
  const [first] = ordered;
  const isCircle = first !== undefined && startOf(first) === ordered.at(-1)?.balanceAfter;
  if (!isStartUnknown || !isCircle) return endOf(ordered);
  const ends = new Map(ordered.map(({ id, balanceAfter: balance }) => [balance, { entryId: id, balance }]));
  return [...ends.values()].slice(0, MOST_ENDS);
}

function breaksIn(ordered: readonly FloatEntry[], end: ChainEnd | undefined): ChainBreak[] {
  const found: ChainBreak[] = [];
  let before = end;
  for (const entry of ordered) {
    const start = startOf(entry);
    if (before !== undefined && before.balance !== start)
      found.push({
        ...{ at: entry.at, beforeId: before.entryId, afterId: entry.id },
        ...{ expected: before.balance, found: start },
      });
    before = { balance: entry.balanceAfter, entryId: entry.id };
  }
  return found;
}

/** The start of a path through all entries: the balance that more entries leave than reach. */
function likelyStart(entries: readonly FloatEntry[]): number {
  const surplus = new Map<number, number>();
  const add = (balance: number, by: number) => surplus.set(balance, (surplus.get(balance) ?? 0) + by);
  for (const entry of entries) {
    add(startOf(entry), 1);
    add(entry.balanceAfter, -1);
  }
  const [start] = [...surplus].find(([, count]) => count > 0) ?? [];
  const [first] = entries;
  return start ?? (first === undefined ? 0 : startOf(first));
}

/**
 * The entries in an order in which each starts at the balance that the one before it left. That is a path that uses every edge of a graph once
 * (Hierholzer's algorithm): balances are nodes, and entries are edges.
 * @returns undefined if there is no such order.
 */
function inOrderFrom(entries: readonly FloatEntry[], start: number): FloatEntry[] | undefined {
  const leaving = new Map<number, FloatEntry[]>();
  for (const entry of entries) leaving.set(startOf(entry), [...(leaving.get(startOf(entry)) ?? []), entry]);
  const path: FloatEntry[] = [];
  const stack: { balance: number; entry?: FloatEntry }[] = [{ balance: start }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const entry = leaving.get(top.balance)?.pop();
    if (entry !== undefined) stack.push({ balance: entry.balanceAfter, entry });
    else {
      stack.pop();
      if (top.entry !== undefined) path.push(top.entry);
    }
  }
  const ordered = path.reverse();
  const isPath =
    ordered.length === entries.length && ordered[0] !== undefined && startOf(ordered[0]) === start;
  return isPath && breaksIn(ordered, undefined).length === 0 ? ordered : undefined;
}
