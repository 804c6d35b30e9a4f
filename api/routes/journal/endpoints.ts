// The journal: double entry for finance, as JSON lines or CSV.
import { z } from 'zod';
import { daysBetween } from '../../../domain/time/calendar.js';
import { sydneyClock } from '../../../domain/time/sydney.js';
import type { JournalBalance, JournalPart, JournalTotal, Posting } from '../../../records/journal.js';
import { contract, endpoint } from '../../http/contract.js';
import { prefers } from '../../http/accept.js';
import { CSV, CSV_UTF8, type CsvRow } from '../../http/csv.js';
import { longAnswer } from '../../http/long-answers.js';
import { aDay, connectionId } from '../../http/parameters.schema.js';
import { invalidParameter } from '../../http/problems/validation.js';
import { CSV_END, LINES, LINES_END, csvParts, jsonLines } from '../../http/streamed.js';

const MOST_DAYS = 366;

const COLUMNS = [
  ...['type', 'entry', 'day', 'at', 'sydney_time', 'connection', 'kind', 'account', 'debit', 'credit'],
  ...['closing', 'complete', 'payment', 'agreement', 'refund', 'float_account', 'float_entry', 'case'],
];

const day = (description: string) => aDay.meta({ description, example: '2026-10-01' });
const JournalQuery = z.strictObject({
  from: day('The first day, in Sydney.'),
  until: day('The last day, in Sydney. It is included. At most 366 days.'),
  connection: connectionId.optional(),
});

const stated = contract({
  method: 'get',
  path: '/v1/journal',
  operationId: 'readJournal',
  tags: ['settlement'],
  summary: 'Read the journal: double entry of payments, refunds and float accounts',
  description: `Use it to post a day to accounting software. The answer has two lines for each entry, a debit and a credit, day by day; a line of the type \`balance\` with the closing balance of each float account; and at the end of each day a line of the type \`total\` for each ledger account. All lines are of one moment. Amounts are cents. JSON lines, or CSV with \`Accept: ${CSV}\`. JSON lines: ${LINES_END} CSV: ${CSV_END}`,
  task: 'journal.md#read-the-journal',
  access: 'read',
  connection: 'query',
  request: { query: JournalQuery },
  answers: {
    200: {
      description: 'The answer has the lines of the journal, day by day.',
      content: { [LINES]: { schema: z.string() }, [CSV]: { schema: z.string() } },
    },
  },
  problems: [422, 503],
});

export const readJournal = endpoint(stated, ({ temporal, log, longAnswers }) => async (c) => {
  const { from, until, connection: named } = c.req.valid('query');
  const days = daysBetween(from, until) + 1;
  if (days < 1 || days > MOST_DAYS)
    throw invalidParameter('until', `expected a day from \`from\` on, and at most ${MOST_DAYS} days`);
  const connection = named === undefined ? undefined : await temporal.connectionFor(named);
  const parts = temporal.journal.read({ from, until, connection });
  const isCsv = prefers(c, CSV, LINES);
  const type = isCsv ? CSV_UTF8 : LINES;
  return longAnswer(c, { log, limiter: longAnswers.ofOneMoment, type, source: parts }, async () => {
    const first = await parts.next();
    const pages = rowsOf(first.done === true ? [] : [first.value], parts);
    return isCsv ? csvParts(COLUMNS, pages) : jsonLines(pages);
  });
});

async function* rowsOf(
  first: readonly JournalPart[],
  rest: AsyncIterable<JournalPart>,
): AsyncGenerator<readonly CsvRow[]> {
  const rowsIn = ({ postings, balances, totals }: JournalPart): CsvRow[] => [
    ...postings.flatMap(linesOf),
    ...balances.map(balanceLine),
    ...totals.map(totalLine),
  ];
  for (const part of first) yield rowsIn(part);
  for await (const part of rest) yield rowsIn(part);
}

/** The debit and the credit of a posting. */
function linesOf(posting: Posting): CsvRow[] {
  const { id: entry, day: ofDay, at, connectionId: connection, kind, amount } = posting;
  const sydney = sydneyClock(at);
  const line = (account: string, debit: number | null, credit: number | null): CsvRow => ({
    ...{ type: 'line', entry, day: ofDay, at, sydney_time: sydney, connection, kind, account },
    ...{
      debit,
      credit,
      payment: posting.paymentUid ?? null,
      agreement: posting.agreementUid ?? null,
      refund: posting.refundUid ?? null,
    },
    ...{ float_account: posting.accountUid ?? null, float_entry: posting.floatEntryId ?? null },
    case: posting.caseUid ?? null,
  });
  return [line(posting.debit, amount, null), line(posting.credit, null, amount)];
}

const balanceLine = ({
  day: ofDay,
  connectionId: connection,
  accountUid,
  closing,
  isComplete,
}: JournalBalance): CsvRow => ({
  ...{ type: 'balance', day: ofDay, connection, account: `float/${accountUid}`, closing },
  ...{ complete: isComplete, float_account: accountUid },
});

const totalLine = ({ day: ofDay, connectionId: connection, ...total }: JournalTotal): CsvRow => ({
  ...{ type: 'total', day: ofDay, connection, ...total },
});
