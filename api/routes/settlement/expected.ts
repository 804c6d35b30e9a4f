// Compares the expected, settled, reported and credited money of each day, with a name for each difference.
import { z } from 'zod';
import { DIFFERENCES, SIDES, type ExpectedDay } from '../../../domain/settlement/expected.js';
import type { Total } from '../../../domain/settlement/reconciliation.js';
import { nextBusinessDay } from '../../../domain/time/business-days.js';
import { daysBetween } from '../../../domain/time/calendar.js';
import { NextBusinessDaySchema } from '../../http/answer-parts.schema.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { prefers } from '../../http/accept.js';
import { CSV, CSV_UTF8, type CsvRow } from '../../http/csv.js';
import { longAnswer } from '../../http/long-answers.js';
import { aDay, connectionId } from '../../http/parameters.schema.js';
import { invalidParameter } from '../../http/problems/validation.js';
import { CSV_END, csvParts } from '../../http/streamed.js';
import { TotalSchema } from './total.schema.js';

const MOST_DAYS = 62;

const COLUMNS = ['type', 'day', 'connection', 'resource', 'from', 'to', 'name', 'count', 'amount'];

const day = (description: string) => aDay.meta({ description, example: '2026-10-01' });
const ExpectedQuery = z.strictObject({
  from: day('The first day, in Sydney.'),
  until: day(`The last day, in Sydney. It is included. At most ${MOST_DAYS} days.`),
  connection: connectionId.optional(),
});

const NAMES = [...new Set(Object.values(DIFFERENCES).flat())];
const DifferenceSchema = z
  .object({
    from: z.enum(SIDES).meta({ description: 'The side that is subtracted.' }),
    to: z.enum(SIDES).meta({ description: 'The side from which it is subtracted.' }),
    ...TotalSchema.shape,
    explained: z
      .array(z.object({ name: z.enum(NAMES), ...TotalSchema.shape }))
      .meta({ description: 'Adds up to the difference exactly.' }),
  })
  .meta({ id: 'ExpectedDifference' });

const ExpectedDaySchema = z
  .object({
    day: z.string().meta({ format: 'date', description: 'In Sydney.' }),
    next_business_day: NextBusinessDaySchema,
    connection: z.string(),
    resource: z.enum(['payment', 'refund']),
    planned: TotalSchema.meta({ description: 'Payments that plans will still request for the day.' }),
    expected: TotalSchema.meta({ description: 'Requested on the day, whatever became of them.' }),
    settled: TotalSchema.meta({ description: 'Settled here on the day. For refunds: processed.' }),
    reported: TotalSchema.meta({ description: 'Lines that count in the newest report of the day.' }),
    credited: TotalSchema.meta({
      description: 'Entries of float accounts on the day. For refunds: debits, without a sign.',
    }),
    differences: z
      .array(DifferenceSchema)
      .meta({ description: 'Each side minus the one before it. The names are in docs/float.md.' }),
  })
  .meta({ id: 'ExpectedDay' });
const ExpectedAnswer = z
  .object({ data: z.object({ from: z.string(), until: z.string(), days: z.array(ExpectedDaySchema) }) })
  .meta({ id: 'ExpectedAnswer' });

const stated = contract({
  method: 'get',
  path: '/v1/expected-and-received',
  operationId: 'compareExpected',
  tags: ['settlement'],
  summary: 'Compare what was expected, settled, reported and credited on each day',
  description: `Use it to explain why the money of a day differs from what you expected. It has counts and cents for each day, connection and resource, and explains each difference by name. A connection without anything on a day is left out. With \`Accept: ${CSV}\`, the response is CSV. ${CSV_END}`,
  task: 'float.md#compare-expected-and-received',
  access: 'read',
  connection: 'query',
  request: { query: ExpectedQuery },
  answers: {
    200: {
      description: 'The answer has one item for each day, connection and resource.',
      content: { ...json('', ExpectedAnswer).content, [CSV]: { schema: z.string() } },
    },
  },
  problems: [422, 503],
});

export const compareExpected = endpoint(stated, ({ temporal, log, longAnswers }) => async (c) => {
  const { from, until, connection: named } = c.req.valid('query');
  const count = daysBetween(from, until) + 1;
  if (count < 1 || count > MOST_DAYS)
    throw invalidParameter('until', `expected a day from \`from\` on, and at most ${MOST_DAYS} days`);
  const connection = named === undefined ? undefined : await temporal.connectionFor(named);
  const days = temporal.settlement.expected({ from, until, connection });
  if (!prefers(c, CSV)) {
    const data: z.output<typeof ExpectedDaySchema>[] = [];
    for await (const found of days) data.push(...found.map(dayAnswer));
    return c.json({ data: { from, until, days: data } }, 200);
  }
  return longAnswer(c, { log, limiter: longAnswers.paged, type: CSV_UTF8, source: days }, async () => {
    const first = await days.next();
    return csvParts(COLUMNS, rowsOf(first.done === true ? [] : first.value, days));
  });
});

const dayAnswer = ({
  connectionId: connection,
  ...found
}: ExpectedDay): z.output<typeof ExpectedDaySchema> => ({
  next_business_day: nextBusinessDay(found.day),
  connection,
  ...found,
});

async function* rowsOf(
  first: readonly ExpectedDay[],
  rest: AsyncIterable<readonly ExpectedDay[]>,
): AsyncGenerator<readonly CsvRow[]> {
  yield first.flatMap(rowsOfDay);
  for await (const found of rest) yield found.flatMap(rowsOfDay);
}

function rowsOfDay(found: ExpectedDay): CsvRow[] {
  const of = { day: found.day, connection: found.connectionId, resource: found.resource };
  const total = (name: 'planned' | (typeof SIDES)[number]): CsvRow => ({
    ...{ type: 'total', ...of, name, ...amounts(found[name]) },
  });
  return [
    ...(['planned', ...SIDES] as const).map(total),
    ...found.differences.flatMap(({ from, to, explained, ...difference }) => [
      { type: 'difference', ...of, from, to, ...amounts(difference) },
      ...explained.map(({ name, ...its }) => ({ type: 'explained', ...of, from, to, name, ...amounts(its) })),
    ]),
  ];
}

const amounts = ({ count, amount }: Total) => ({ count, amount });
