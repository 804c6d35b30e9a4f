// The statement of a float account for one day in Sydney. Pure.
import { createChain, type ChainBreak } from './chain.js';
import { isMatched, type MatchedFloatEntry } from './entries.js';

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
  /** In the order of their balances, without their texts. */
  entries: MatchedFloatEntry[];
  /** Entries that do not follow each other. If there are any, the opening balance plus all amounts is not the closing balance. */
  breaks: readonly ChainBreak[];
}

/**
 * Takes the entries of a day in parts, so that a caller can let others work between them.
 * @param before entries before the day, in the order of their instants, which decide where the day starts.
 */
export function createStatement(before: readonly MatchedFloatEntry[]): {
  /** @param entries the next ones, in the order of their instants. The last instant may continue in the next part. */
  add: (entries: readonly MatchedFloatEntry[]) => void;
  end: () => Statement;
} {
  const chain = createChain(undefined);
  let ordered: MatchedFloatEntry[] = [];
  let instant: MatchedFloatEntry[] = [];
  const endInstant = (): void => {
    for (const entry of inOrder(chain, instant)) ordered.push(entry);
    instant = [];
  };
  const add = (entries: readonly MatchedFloatEntry[]): void => {
    for (const entry of entries) {
      if (instant[0]?.at !== entry.at) endInstant();
      instant.push(entry);
    }
  };
  add(before);
  endInstant();
  const earlier = ordered;
  ordered = [];
  const beforeBreaks = chain.breaks().length;
  const start = chain.balance();
  return {
    add,
    end: () => {
      endInstant();
      const [first] = ordered;
      const last = ordered.at(-1) ?? earlier.at(-1);
      const breaks = chain.breaks().slice(beforeBreaks);
      const closing = chain.balance() ?? last?.balanceAfter;
      // The first entries of an account may cancel each other. Then only later ones show where they started.
      const isFirstDay = earlier.length === 0 && closing !== undefined;
      const startOfDay = isFirstDay
        ? closing - net(ordered) - gaps(breaks)
        : first && first.balanceAfter - first.amount;
      return {
        opening: first === undefined ? (start ?? last?.balanceAfter) : startOfDay,
        closing,
        credits: sumOf(ordered, ({ amount }) => amount > 0),
        debits: sumOf(ordered, ({ amount }) => amount < 0),
        matched: sumOf(ordered, isMatched),
        unmatched: sumOf(ordered, (entry) => !isMatched(entry)),
        entries: ordered,
        breaks,
      };
    },
  };
}

const net = (entries: readonly MatchedFloatEntry[]): number =>
  entries.reduce((sum, { amount }) => sum + amount, 0);

const gaps = (breaks: readonly ChainBreak[]): number =>
  breaks.reduce((sum, { expected, found }) => sum + found - expected, 0);

function inOrder(
  chain: ReturnType<typeof createChain>,
  entries: readonly MatchedFloatEntry[],
): MatchedFloatEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return chain.addInstant(entries).flatMap(({ id }) => byId.get(id) ?? []);
}

function sumOf(entries: readonly MatchedFloatEntry[], counts: (entry: MatchedFloatEntry) => boolean): Sum {
  const counted = entries.filter(counts);
  return {
    count: counted.length,
    amount: counted.reduce((total, { amount }) => total + Math.abs(amount), 0),
  };
}
