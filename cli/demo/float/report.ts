// The findings of the float demo: each day as a row, and the exceptions.
import Table from 'cli-table3';
import { journalDifferences, journalTable, type Journal } from './journal.js';
import { memoryDifferences, memoryInWords, type Memory } from '../memory.js';
import { endOf, type Report } from '../report.js';
import { differs } from '../scene.js';
import type { Reconciliation, Statement, UnmatchedCredit } from './calls.js';

/** What the plot did, which the comparison must find. */
export interface Planned {
  days: string[];
  missingInReport: string;
  cases: UnmatchedCredit[];
  closing: number;
  breaks: number;
  /** Cents of the entry that the provider has lost. */
  lost: number;
}

interface Day {
  day: string;
  reconciliation: Reconciliation;
  statement: Statement;
}

interface FloatFindings {
  planned: Planned;
  days: Day[];
  journal: Journal;
  memory: Memory[];
}

export function floatReport({ planned, days, journal, memory }: FloatFindings): Report {
  const differences = [
    ...differencesIn(planned, days),
    ...journalDifferences(journal, planned),
    ...memoryDifferences(memory),
  ];
  const exceptions = days.flatMap(({ day, reconciliation }) =>
    reconciliation.exceptions.map((exception) => ({ day, ...exception })),
  );
  const seconds = Math.round(performance.now() / 100) / 10;
  return {
    json: {
      ...{ ok: differences.length === 0, differences, seconds },
      days: days.map(({ statement, reconciliation }) => ({
        ...{ day: statement.day, opening: statement.opening, closing: statement.closing },
        ...{ settled: reconciliation.payments.settled, reported: reconciliation.payments.reported },
      })),
      exceptions,
      journal: journal.filter(({ type }) => type === 'total'),
      unmatched_credits: planned.cases.map(({ uid, amount, state }) => ({ uid, amount, state })),
    },
    text: [
      tableOf(days),
      ...exceptions.map(
        ({ day, kind, resource, uid, what_to_do: todo }) =>
          `${day}: ${kind}, ${resource} ${uid ?? ''}. ${todo}`,
      ),
      ...days.flatMap(({ statement }) =>
        statement.chain_breaks.map(
          ({ expected, found }) =>
            `${statement.day}: the balances break: ${dollars(expected)} were left, and the next entry starts at ${dollars(found)}.`,
        ),
      ),
      ...planned.cases.map(({ amount, state }) => `unmatched credit of ${dollars(amount)}: ${state}`),
      journalTable(journal, dollars),
      memoryInWords(memory),
      `${seconds} s in total`,
      ...endOf(differences, 'The reconciliation found exactly the planted error, and the journal balances.'),
    ].join('\n'),
  };
}

const dollars = (cents: number | null): string => (cents === null ? '–' : (cents / 100).toFixed(2));

function tableOf(days: readonly Day[]): string {
  const head = [
    'day',
    'opening',
    'credits',
    'debits',
    'closing',
    'unmatched',
    'settled here',
    'in the report',
    'exceptions',
  ];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const { day, statement, reconciliation } of days) {
    const { payments, refunds, exceptions } = reconciliation;
    const both = (side: 'settled' | 'reported'): string =>
      [
        `payments ${dollars(payments[side].amount)} (${payments[side].count})`,
        ...(refunds[side].count === 0
          ? []
          : [`refunds ${dollars(refunds[side].amount)} (${refunds[side].count})`]),
      ].join('\n');
    table.push([
      ...[day, dollars(statement.opening), dollars(statement.credits.amount)],
      ...[dollars(statement.debits.amount), dollars(statement.closing), String(statement.unmatched.count)],
      ...[both('settled'), both('reported'), exceptions.map(({ kind }) => kind).join('\n') || 'none'],
    ]);
  }
  return table.toString();
}

function differencesIn(planned: Planned, days: readonly Day[]): string[] {
  const exceptions = days.flatMap(({ reconciliation }) => reconciliation.exceptions);
  const found = exceptions.map(({ kind, uid }) => `${kind} ${uid ?? ''}`).join(', ');
  const expected = `missing_in_report ${planned.missingInReport}`;
  const breaks = days.flatMap(({ statement }) => statement.chain_breaks).length;
  const closing = days.at(-1)?.statement.closing ?? null;
  const states = planned.cases
    .map(({ state }) => state)
    .toSorted()
    .join(' and ');
  return [
    ...differs('exceptions', expected, found),
    ...differs('breaks of the balances', 1, breaks),
    ...differs('breaks of the account', 1, planned.breaks),
    ...differs('closing balance of Sunday', planned.closing, closing),
    ...differs('unmatched credits', 'kept and matched', states),
    ...days
      .slice(1)
      .flatMap(({ day, statement }, index) =>
        statement.chain_breaks.length > 0
          ? []
          : differs(`opening balance of ${day}`, days[index]?.statement.closing ?? null, statement.opening),
      ),
  ];
}
