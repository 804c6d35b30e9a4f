import { z } from 'zod';
import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import { startOfSydneyDay, sydneyDayOf } from '../../../domain/time/sydney.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { client } from '../../http/list-parameters.schema.js';
import { aDay, connectionId } from '../../http/parameters.schema.js';
import { invalidParameter } from '../../http/problems/validation.js';
import { LIST, filterOf } from '../list.js';
import { PAYMENT_VIEW_STATES } from './answer.schema.js';

/** The filters that the list and the totals share. */
export const ofPayments = {
  state: z.enum(PAYMENT_VIEW_STATES).optional(),
  connection: connectionId.optional(),
  agreement: UidSchema.optional(),
  client,
};
const day = (description: string) => aDay.optional().meta({ description, example: '2026-10-01' });
const SummaryQuery = z.strictObject({
  ...ofPayments,
  from: day('The first day that counts, in Sydney. Default: 31 days before `until`.'),
  until: day('The first day that no longer counts, in Sydney. Default: tomorrow.'),
});

const Total = z
  .object({
    day: z.string().meta({
      format: 'date',
      description: 'The day in Sydney on which the payments entered the state.',
    }),
    state: z.string().meta({ description: 'The state in which the payments are now.' }),
    count: z.int().meta({ description: 'How many payments are in this state since this day.' }),
    amount: z.int().meta({ description: 'The sum of their amounts, in cents.' }),
  })
  .meta({ id: 'PaymentTotal' });
const SummaryAnswer = z
  .object({ data: z.array(Total).meta({ description: 'Starts with the oldest day.' }) })
  .meta({ id: 'PaymentSummaryAnswer' });

const stated = contract({
  ...LIST,
  path: '/v1/payments/summary',
  operationId: 'summarisePayments',
  tags: ['payments'],
  summary: 'Count payments and their cents by state and day',
  description:
    'Use this for a report or a dashboard. Each payment counts once: in its current state, on the day on which it entered it. So the cents of `settled` on a day are what settled on that day.',
  task: 'payments.md#count-payments-by-state-and-day',
  request: { query: SummaryQuery },
  answers: { 200: json('One total for each day and state that has payments.', SummaryAnswer) },
});

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 31;
const MOST_DAYS = 366;

export const summarisePayments = endpoint(stated, ({ temporal, clock }) => async (c) => {
  const { from, until, ...filters } = c.req.valid('query');
  const now = new Date(clock.now()).toISOString();
  const days = daysOf({ from, until }, now);
  const entered = { from: startOfSydneyDay(days.from), until: startOfSydneyDay(days.until) };
  const data = await temporal.payments.totals(filterOf(filters, now), entered);
  return c.json({ data }, 200);
});

/** @throws ApiError `invalid_request` */
function daysOf({ from, until }: { from: string | undefined; until: string | undefined }, now: string) {
  const last = until ?? dayAfter(sydneyDayOf(now), 1);
  const first = from ?? dayAfter(last, -DEFAULT_DAYS);
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS;
  if (count <= 0) throw invalidParameter('from', 'expected a day before `until`');
  if (count > MOST_DAYS) throw invalidParameter('from', `expected at most ${MOST_DAYS} days`);
  return { from: first, until: last };
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
