// The journal of the week: it is read as JSON lines, and must balance.
import Table from 'cli-table3';
import { z } from 'zod';
import { Difference, differs } from '../scene.js';

const Line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('line'),
    ...{ entry: z.string(), day: z.string(), kind: z.string(), account: z.string() },
    ...{ debit: z.number().nullable(), credit: z.number().nullable() },
  }),
  z.object({
    ...{ type: z.literal('balance'), day: z.string(), account: z.string(), closing: z.number() },
  }),
  z.object({
    ...{ type: z.literal('total'), day: z.string(), account: z.string() },
    ...{ debit: z.number(), credit: z.number() },
  }),
]);
const End = z.object({ end: z.literal(true), lines: z.number() });

export type Journal = z.infer<typeof Line>[];
type OfType<Type extends Journal[number]['type']> = Extract<Journal[number], { type: Type }>;

/** @throws Difference if the answer was cut off. */
export function journalOf(answer: string): Journal {
  const lines = answer.trim().split('\n');
  const end = End.safeParse(JSON.parse(lines.pop() ?? ''));
  if (end.data?.lines !== lines.length)
    throw new Difference('the journal', `${lines.length} lines and the end`, 'no end');
  return lines.map((line) => Line.parse(JSON.parse(line)));
}

const ofType = <Type extends Journal[number]['type']>(journal: Journal, type: Type): OfType<Type>[] =>
  journal.filter((line): line is OfType<Type> => line.type === type);

interface Sides {
  debit: number;
  credit: number;
}

function sumBy<Row extends { debit: number | null; credit: number | null }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Map<string, Sides> {
  const sums = new Map<string, Sides>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { debit: 0, credit: 0 };
    sums.set(keyOf(row), {
      debit: sum.debit + (row.debit ?? 0),
      credit: sum.credit + (row.credit ?? 0),
    });
  }
  return sums;
}

/** @param lost cents of the entry that the provider has lost. */
export function journalDifferences(journal: Journal, expected: { closing: number; lost: number }): string[] {
  const lines = ofType(journal, 'line');
  const unbalanced = [
    ...sumBy(lines, ({ entry }) => `entry ${entry}`),
    ...sumBy(ofType(journal, 'total'), ({ day }) => `day ${day}`),
  ].filter(([, { debit, credit }]) => debit !== credit);
  const last = ofType(journal, 'balance').at(-1);
  const float = sumBy(lines, ({ account }) => account).get(last?.account ?? '');
  const gaps = lines.filter(({ kind, debit }) => kind === 'chain_difference' && debit !== null);
  return [
    ...differs('journal: unbalanced', '', unbalanced.map(([what]) => what).join(', ')),
    ...differs('journal: closing balance', expected.closing, last?.closing ?? null),
    ...differs(
      'journal: sum of the float account',
      expected.closing,
      float === undefined ? null : float.debit - float.credit,
    ),
    ...differs('journal: lost money', String(expected.lost), gaps.map(({ debit }) => debit).join(', ')),
  ];
}

/** Each ledger account of the week. */
export function journalTable(journal: Journal, dollars: (cents: number) => string): string {
  const head = ['ledger account', 'debits', 'credits', 'balance'];
  const table = new Table({ head, style: { head: [], border: [] } });
  const sums = sumBy(ofType(journal, 'total'), ({ account }) => account);
  const row = (account: string, { debit, credit }: Sides): string[] => [
    ...[account, dollars(debit), dollars(credit), dollars(debit - credit)],
  ];
  for (const [account, sum] of [...sums].toSorted(([one], [other]) => one.localeCompare(other)))
    table.push(row(account, sum));
  for (const sum of sumBy(ofType(journal, 'total'), () => 'all').values()) table.push(row('all', sum));
  return table.toString();
}
