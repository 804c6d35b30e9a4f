// The statement of a float account for one day in Sydney. Pure.
import { createChain } from './chain.js';
import { isMatched } from './entries.js';
import type { ChainBreak } from './chain.js';
import type { StoredFloatEntry } from './entries.js';

/** A count, and cents without a sign. */
export interface Sum {
  count: number;
  amount: number;
}

export interface Statement {
  /** The balance before the first entry. Undefined if the account has no entry yet, or its earlier entries do not decide it. */
  opening: number | undefined;
  closing: number | undefined;
  credits: Sum;
  debits: Sum;
  matched: Sum;
  unmatched: Sum;
  /** In the order of their balances. */
  entries: StoredFloatEntry[];
  /** Entries that do not follow each other. If there are any, the opening balance plus all amounts is not the closing balance. */
  breaks: readonly ChainBreak[];
}

/**
 * @param before the entries of the last instant before the day, which decide where the day starts.
 * @param entries of the day, in the order of their instants.
 */
export function statementOf(
  before: readonly StoredFloatEntry[],
  entries: readonly StoredFloatEntry[],
): Statement {
  const chain = createChain(undefined);
  const earlier = inOrder(chain, before);
  const beforeBreaks = chain.breaks().length;
  const start = chain.balance();
  const ordered = instantsOf(entries).flatMap((instant) => inOrder(chain, instant));
  const [first] = ordered;
  const last = ordered.at(-1) ?? earlier.at(-1);
  return {
    opening: first === undefined ? (start ?? last?.balanceAfter) : first.balanceAfter - first.amount,
    closing: chain.balance() ?? last?.balanceAfter,
    credits: sumOf(ordered, ({ amount }) => amount > 0),
    debits: sumOf(ordered, ({ amount }) => amount < 0),
    matched: sumOf(ordered, isMatched),
    unmatched: sumOf(ordered, (entry) => !isMatched(entry)),
    entries: ordered,
    breaks: chain.breaks().slice(beforeBreaks),
  };
}

function inOrder(
  chain: ReturnType<typeof createChain>,
  entries: readonly StoredFloatEntry[],
): StoredFloatEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return chain.addInstant(entries).flatMap(({ id }) => byId.get(id) ?? []);
}

function instantsOf(entries: readonly StoredFloatEntry[]): StoredFloatEntry[][] {
  const instants = new Map<string, StoredFloatEntry[]>();
  for (const entry of entries) {
    const same = instants.get(entry.at);
    if (same === undefined) instants.set(entry.at, [entry]);
    else same.push(entry);
  }
  return [...instants.values()];
}

function sumOf(entries: readonly StoredFloatEntry[], counts: (entry: StoredFloatEntry) => boolean): Sum {
  const counted = entries.filter(counts);
  return {
    count: counted.length,
    amount: counted.reduce((total, { amount }) => total + Math.abs(amount), 0),
  };
}
